#!/bin/sh
# labdiff: 0 the same, 1 different with the lines named, 2 bad input. labdiff.sh LABDIFF
set -eu
labdiff=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
cd "$tmp"

try() { # try WANTED-EXIT ARGS...
    want=$1
    shift
    status=0
    "$labdiff" "$@" >out 2>err || status=$?
    [ $status -eq "$want" ] || {
        echo "labdiff $*: exit $status, expected $want"
        cat out err
        exit 1
    }
}

printf 'a 1\nb 2\n' >want.txt
printf 'a 1\r\nb 2\r\n' >crlf.txt
printf 'a 1\nb 3\n' >other.txt
try 0 want.txt want.txt
try 0 want.txt crlf.txt
try 1 want.txt other.txt
grep -q 'line 2' err
cp want.txt same.txt
try 0 want.txt - <same.txt
try 2 want.txt missing.txt
try 2 missing.txt want.txt
try 2 . want.txt
try 2 want.txt

printf '# table: t\nname,ns,ratio\n# rules: exact,machine,abs:0.1\nx,~,1.0\n' >want.csv
printf '# table: t\nname,ns,ratio\nx,17.25,1.05\n' >near.csv
printf '# table: t\nname,ns,ratio\nx,17.25,1.2\n' >far.csv
printf '# table: t\nname,ns,ratio\nx,nan,1.0\n' >nan.csv
printf '# table: t\nname,ns,ratio\ny,17.25,1.0\n' >name.csv
printf '# table: t\nname,ns,ratio\n' >short.csv
printf '# table: t\nname,ns,ratio\n# rules: exact,sometimes,exact\nx,~,1.0\n' >bad.csv
try 0 want.csv near.csv
for differs in far nan name short; do
    try 1 want.csv $differs.csv
done
try 2 bad.csv near.csv
echo "labdiff tells them apart"
