#!/bin/sh
# What ./lab answers without building anything.
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

try() { # try WANTED-EXIT TEXT ARGS...: exit code and a text in the output
    want=$1 text=$2
    shift 2
    status=0
    ./lab "$@" >"$tmp/out" 2>&1 </dev/null || status=$?
    [ $status -eq "$want" ] || {
        echo "./lab $*: exit $status, expected $want"
        cat "$tmp/out"
        exit 1
    }
    grep -q -e "$text" "$tmp/out" || {
        echo "./lab $*: does not say '$text'"
        cat "$tmp/out"
        exit 1
    }
}

try 0 'usage:' help
try 0 'usage:' --help
try 2 'usage:'
try 2 "unknown command 'fly'" fly
try 2 "unknown option '--fly'" run --fly
try 2 "no lab is named 'nosuch'" run nosuch
try 2 "no lab is named 'nosuch'" bench nosuch
try 2 "no preset 'fast'" test --preset fast
try 2 'only run passes arguments' list -- x
try 2 'only test takes --long' run --long
try 2 'only setup takes --dev' run --dev
try 2 'list takes no lab' list simt
for verb in report status next hint check show reset grade handout doctor; do
    try 3 'is not there yet' $verb
done

# Every lab of the CMakeLists is listed, in phase order, with its question.
try 0 'question' list
tail -n +2 "$tmp/out" >"$tmp/labs"
grep -h '^lab_program(' phase*/CMakeLists.txt | sed -e 's/^lab_program(//' -e 's/[ )].*//' >"$tmp/want"
awk '{ print $2 }' "$tmp/labs" | diff "$tmp/want" - || {
    echo "./lab list differs from the lab_program calls"
    exit 1
}
awk 'NF < 3 { print "no question: " $0; exit 1 }' "$tmp/labs"
echo "./lab answers"
