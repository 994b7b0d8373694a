#!/bin/sh
# How every lab program answers on its command line. program.sh PROGRAM
set -eu
program=$1
name=$(basename "$program")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

fail() {
    echo "$name: $*"
    sed 's/^/  stdout: /' "$tmp/out" | head -n 5
    sed 's/^/  stderr: /' "$tmp/err" | head -n 5
    exit 1
}
# try WANTED-EXIT ARGS...: runs the program, keeps stdout and stderr.
try() {
    want=$1
    shift
    status=0
    "$program" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
    [ $status -eq "$want" ] || fail "'$*' exits $status, expected $want"
}
# Bad input: exit 2, nothing on stdout, one line on stderr that starts with the program's name.
refuses() {
    try 2 "$@"
    [ ! -s "$tmp/out" ] || fail "'$*' wrote to stdout"
    [ "$(wc -l <"$tmp/err")" -eq 1 ] || fail "'$*' did not print one line on stderr"
    grep -q "^$name: " "$tmp/err" || fail "'$*': the line does not start with '$name: '"
}

try 0 --help
[ -s "$tmp/out" ] || fail "--help prints nothing"
[ ! -s "$tmp/err" ] || fail "--help writes to stderr"
for word in usage explain --format --help --version; do
    grep -q -e "$word" "$tmp/out" || fail "--help does not name $word"
done
awk 'length > 100 { exit 1 }' "$tmp/out" || fail "--help has lines over 100 columns"
try 0 -h
try 0 --version
grep -qE "^$name [0-9]+\.[0-9]+\.[0-9]+$" "$tmp/out" || fail "--version is not 'name x.y.z'"
try 0 explain
[ -s "$tmp/out" ] || fail "explain prints nothing"

refuses --no-such-option
refuses no-such-verb
refuses --format
refuses --format xml
refuses --seed nonsense
refuses --expect
refuses --expect "$tmp/missing.txt"
refuses --bless
refuses explain unwanted
CI=true refuses --bless --expect "$tmp/new.txt"
[ ! -e "$tmp/new.txt" ] || fail "--bless wrote under CI"

# A full disk is an error, not silence.
if [ -w /dev/full ]; then
    status=0
    "$program" --help >/dev/full 2>"$tmp/err" || status=$?
    [ $status -eq 3 ] || fail "--help to a full device exits $status, expected 3"
fi
echo "$name answers as a lab program does"
