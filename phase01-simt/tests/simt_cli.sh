#!/bin/sh
# What simt says to a learner's files, right and wrong. simt_cli.sh PROGRAM PHASE-FOLDER
set -eu
simt=$1 phase=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
cd "$tmp"
count=0

fail() {
    echo "simt $*"
    sed 's/^/  stdout: /' out | head -n 5
    sed 's/^/  stderr: /' err | head -n 5
    exit 1
}
try() { # try EXIT ARGS...
    want=$1
    shift
    status=0
    "$simt" "$@" >out 2>err </dev/null || status=$?
    [ $status -eq "$want" ] || fail "$*: exit $status, expected $want"
    count=$((count + 1))
}
refuses() { # refuses TEXT ARGS...: exit 2, nothing on stdout, one line that holds TEXT
    text=$1
    shift
    try 2 "$@"
    [ ! -s out ] || fail "$*: wrote to stdout"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: not one line on stderr"
    grep -q '^simt: ' err || fail "$*: the line does not begin with 'simt: '"
    grep -qF -e "$text" err || fail "$*: does not say '$text'"
}
program() { # program TEXT: writes p.simt
    # shellcheck disable=SC2059  # the text is a format on purpose: \n, \r
    printf "$1" >p.simt
}

program 'TID r0\n  MOVE r1, r0\nHALT\n'
refuses "p.simt:2:3: unknown instruction 'MOVE', did you mean MOVI?" run p.simt
refuses "p.simt:2:3: unknown instruction 'MOVE', did you mean MOVI?" asm p.simt
program 'MOVI r16, 1\nHALT\n'
refuses 'p.simt:1:6: there is no register r16, expected r0..r15' run p.simt
program 'JMP away\nHALT\n'
refuses "p.simt:1:5: label 'away' is missing" run p.simt
program 'TID r0\nRECONV\nHALT\n'
refuses 'p.simt:2:1: RECONV closes no branch' run p.simt
program 'x: BRZ r0, x\nHALT\n'
refuses 'p.simt:1:4: BRZ is never closed' run p.simt
program 'TID r0\nspin: JMP spin\n'
refuses 'p.simt:2:7: no end after 10000000 issues: warp 0 is at pc 1' run p.simt
refuses 'no end after 50 issues' run p.simt --budget 50 --policy its
program 'TID r0\n'
refuses 'p.simt:1:1: warp 0 runs past this last instruction (pc 0), expected HALT' run p.simt
program 'TID r0\nLD r1, [r0+4090]\nHALT\n'
refuses 'p.simt:2:1: LD at word 4096 in lane 6 of warp 0 is outside memory, expected 0..4095' run p.simt
program 'TID r0\nMOD r1, r0, r2\nHALT\n'
refuses 'p.simt:2:1: MOD by 0 in lane 0 of warp 0' run p.simt
program 'TID r0\nBRZ r0, x\nBAR\nx: RECONV\nHALT\n'
refuses 'p.simt:3:1: BAR in warp 0 without lane 0' run p.simt
program ''
refuses 'p.simt:1:1: no instruction' run p.simt
refuses 'missing.simt' run missing.simt
mkdir folder
refuses 'folder' run folder
refuses 'folder' asm folder
head -c 4096 "$simt" >junk
refuses 'junk:1:1: byte 0x7f is not text' run junk
refuses 'run needs FILE' run
refuses '--warps' run "$phase/kernels/uniform.simt" --warps 0
refuses '--warps' run "$phase/kernels/uniform.simt" --warps 65
refuses '--policy' run "$phase/kernels/uniform.simt" --policy none
refuses "--dump 'mem:9-3'" run "$phase/kernels/uniform.simt" --dump mem:9-3
refuses 'nowords' run "$phase/kernels/uniform.simt" --mem nowords
refuses '--trace is text' run "$phase/kernels/uniform.simt" --trace --format csv
refuses 'missing.simt' check-selp missing.simt

program 'TID r0\r\nST [r0], r0\r\nHALT\r\n'
try 0 run p.simt --dump mem:30-32
grep -q '^ *30 *30 *31 *0' out || fail "CRLF: wrong memory"
printf '5, 6\n' >words
program 'TID r0\nLD r1, [r0]\nHALT\n'
try 0 run p.simt --mem words --dump regs --format csv
grep -q '^1,1,6,0' out || fail "--mem: r1 of thread 1 is not 6"
try 0 run "$phase/kernels/reduce.simt" --warps 64 --policy its --sched gto
try 0 run "$phase/kernels/even_odd.simt" --trace
[ "$(grep -c '#' out)" -eq 10 ] || fail "--trace: not ten issues"
try 0 run "$phase/kernels/even_odd.simt" --svg line.svg
grep -q '</svg>' line.svg || fail "--svg: no picture"
try 0 run "$phase/kernels/latency.simt" --warps 6 --svg line.svg
grep -q 'the first 4 of 6 warps' err || fail "--svg: does not say which warps are drawn"
try 0 --svg demo.svg
grep -q 'max_divergent' demo.svg || fail "--svg: no picture of the demonstration"
refuses 'folder.svg' run "$phase/kernels/even_odd.simt" --svg "$tmp/no/such/folder.svg"
try 4 check-selp "$phase/exercises/e04_selp.simt"
try 0 check-selp "$phase/solutions/e04_selp.simt"
program 'TID r0\nHALT\n'
try 1 check-selp p.simt
grep -q 'results_match' err || fail "check-selp: does not name the check"

echo "$count cases hold"
