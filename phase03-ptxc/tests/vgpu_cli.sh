#!/bin/sh
# What vgpu says to a learner's files and words, right and wrong. vgpu_cli.sh PROGRAM PHASE-FOLDER
set -eu
vgpu=$1 phase=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
cd "$tmp"
count=0
add=$phase/kernels/vec_add.ptx

fail() {
    echo "vgpu $*"
    sed 's/^/  stdout: /' out | head -n 5
    sed 's/^/  stderr: /' err | head -n 5
    exit 1
}
try() { # try EXIT ARGS...
    want=$1
    shift
    status=0
    "$vgpu" "$@" >out 2>err </dev/null || status=$?
    [ $status -eq "$want" ] || fail "$*: exit $status, expected $want"
    count=$((count + 1))
}
refuses() { # refuses TEXT ARGS...: exit 2, nothing on stdout, one line that holds TEXT
    text=$1
    shift
    try 2 "$@"
    [ ! -s out ] || fail "$*: wrote to stdout"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: not one line on stderr"
    grep -q '^vgpu: ' err || fail "$*: the line does not begin with 'vgpu: '"
    grep -qF -e "$text" err || fail "$*: does not say '$text'"
}
says() { # says FILE TEXT: of the last try
    grep -qF -e "$2" "$1" || fail "does not say '$2' on std$1"
}
head_of() { # head_of: the first lines of a PTX file
    printf '.version 8.0\n.target sm_80\n.address_size 64\n'
}
kernel() { # kernel BODY: writes k.ptx with a kernel k of one pointer
    {
        head_of
        printf '.visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<9>; .reg .b64 %%rd<9>;\n'
        printf '.reg .pred %%p<9>; .reg .f32 %%f<9>;\nld.param.u64 %%rd1, [p];\n'
        printf '%s\n}\n' "$1"
    } >k.ptx
}
try_add() { # try_add EXIT ARGS...: vec_add with its usual arguments
    want=$1
    shift
    try "$want" launch "$add" vec_add --arg 'f32[100]=iota' --arg 'f32[100]=one' \
        --arg 'out:f32[100]' --arg i32:100 "$@"
}

# --- files that are no PTX ---
refuses 'missing.ptx' ptx missing.ptx
refuses 'missing.ptx' launch missing.ptx k
mkdir folder
refuses 'folder' ptx folder
: >empty.ptx
refuses 'empty.ptx:1:1' ptx empty.ptx
head -c 4096 "$vgpu" >cubin
refuses 'cubin:1:1' ptx cubin
head -c 900 "$add" >cut.ptx
refuses 'cut.ptx:' ptx cut.ptx
head -c 70000000 /dev/zero | tr '\0' 'x' >long.ptx
refuses 'long.ptx' ptx long.ptx
rm long.ptx
{ head_of && echo '.visible .entry k() { frobnicate.u32 %r1; ret; }'; } >k.ptx
refuses "k.ptx:4:23: 'frobnicate', expected an opcode" ptx k.ptx
{
    head_of
    echo '.visible .entry k('
    i=0
    while [ $i -lt 10000 ]; do
        echo ".param .u32 p$i,"
        i=$((i + 1))
    done
    echo '.param .u32 last) { ret; }'
} >k.ptx
refuses 'k.ptx:' ptx k.ptx

# --- words ---
refuses 'launch needs FILE KERNEL' launch "$add"
refuses "no kernel 'vec_sub', expected one of: vec_add" launch "$add" vec_sub
refuses 'takes 4 parameters (u64 u64 u64 u32), got 0' launch "$add" vec_add
refuses 'got 5' launch "$add" vec_add --arg 'f32[1]' --arg 'f32[1]' --arg 'f32[1]' --arg i32:1 \
    --arg i32:1
refuses "--arg 1 'f33[4]': 'f33' is no type" launch "$add" vec_add --arg 'f33[4]' --arg u64:0 \
    --arg u64:0 --arg i32:1
refuses '--arg needs a value' launch "$add" vec_add --arg
refuses "it belongs to 'vgpu launch'" --arg i32:1
refuses "--grid: expected X, X,Y or X,Y,Z with numbers from 1, got '0'" launch "$add" vec_add --grid 0
refuses '--block' launch "$add" vec_add --block 1x2
refuses "--check: expected mem, race, sync, init or all with commas between, got 'mme'" \
    launch "$add" vec_add --check mem,mme
refuses '--report: expected one of table|csv|json|off' launch "$add" vec_add --report xml
refuses '--device: expected one of t4|a100|l4|h100|h200' --device a10
refuses '--threads: expected a whole number from 0 to 1024' --threads -1
refuses '--policy' launch "$add" vec_add --policy lockstep
refuses '--svg-kind' --svg-kind pie
usual="--arg f32[100]=iota --arg f32[100]=one --arg out:f32[100] --arg i32:100"
# shellcheck disable=SC2086  # the words of the list
for bad in 'none' 'out:0-100' 'out:5-4' 'out:1' 'out:a-b' 'out:-1-3'; do
    refuses "--print '$bad'" launch "$add" vec_add $usual --print "$bad"
done
# shellcheck disable=SC2086
{
    refuses 'a block of 2048 x 1 x 1 threads' launch "$add" vec_add $usual --block 2048
    refuses 'a grid of 1 x 65536 x 1 blocks' launch "$add" vec_add $usual --grid 1,65536
    refuses 'bytes of shared memory a block' launch "$add" vec_add $usual --smem 200K
    refuses '/no/such/folder' launch "$add" vec_add $usual --grid 4 --svg /no/such/folder/x.svg
    refuses '--svg-line' launch "$add" vec_add $usual --grid 4 --svg x.svg --svg-kind sectors \
        --svg-line 3
}
refuses 'run needs PROGRAM' run
refuses 'no-such-program' run -- ./no-such-program

# --- kernels that stop, or that the checks accuse ---
kernel 'L: bra L;'
try 1 launch k.ptx k --arg 'f32[4]' --budget 1000
says err 'vgpu: FAILED: kernel k stopped, '
says err '1000'
[ ! -s out ] || fail "a stopped kernel: wrote to stdout"
kernel 'st.global.u32 [%rd1+400000000], 1; ret;'
try 1 launch k.ptx k --arg 'f32[4]'
says err 'illegal address'
says err 'At k.ptx:9: st.global.u32 [%rd1+400000000], 1;'
kernel 'trap;'
try 1 launch k.ptx k --arg 'f32[4]'
kernel 'ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd1], %f1; ret;'
try 1 launch k.ptx k --arg 'x:f32[4]' --check init
says out 'never written'
says err '1 finding'
try 0 launch k.ptx k --arg 'x:f32[4]=one' --check all
says err 'vgpu: 0 findings'
kernel 'ld.global.f32 %f1, [%rd1+2]; ret;'
try 1 launch k.ptx k --arg 'x:f32[4]=one'
says err 'misaligned'

# --- what works ---
try_add 0 --grid 4
says out 'out         7  8'
try_add 0 --grid 4 --print out:98-99 --report csv
says out 'out,99,100'
says out '# table: global'
try_add 0 --grid 4 --report json
says out '"id":"execution"'
try_add 0 --grid 4 --report off
[ "$(grep -c '==' out)" -eq 1 ] || fail "--report off: more than the buffer"
try_add 0 --grid 2 --block 50 --threads 3 --device t4 --policy stack --lines 2 --svg lines.svg
grep -q '</svg>' lines.svg || fail "--svg: no picture"
try_add 0 --grid 4 --svg sectors.svg --svg-kind sectors
grep -q 'sectors of 32 bytes move' sectors.svg || fail "--svg-kind sectors: no picture"
try_add 0 --grid 4 --cooperative --check mem,race,sync,init
try 0 launch "$phase/kernels/transpose.ptx" transpose_tiled --grid 4,4 --block 32,8 \
    --arg 'f32[16384]' --arg 'f32[16384]=rand' --arg i32:128 --lines 1 --by conflicts --report csv
says out 'ld.shared.f32 %f5'
try 1 launch "$phase/tests/bugs/race.ptx" matmul_first --grid 2,2 --block 16,16 --check race \
    --arg 'f32[1024]=rand' --arg 'f32[1024]=rand' --arg 'f32[1024]' --arg i32:32
says err 'more; the table has a row for each'
[ "$(grep -c '^race: ' err)" -eq 3 ] || fail "many findings: not three paragraphs"
printf '1.5 2.5\n3.5,4.5\n' >numbers
kernel 'ld.global.f32 %f1, [%rd1]; ret;'
try 0 launch k.ptx k --arg 'x:f32[4]=@numbers'
says out '3.5'
kernel 'ret;'
try 0 launch k.ptx k --arg hex:0000000000000000 --block 1 --budget 2
try 1 launch k.ptx k --arg hex:0000000000000000 --block 1 --budget 1
try 0 ptx k.ptx --format csv
says out 'k,u64,'
try 0 --svg demo.svg
grep -q 'transpose_tiled' demo.svg || fail "--svg: no picture of the demonstration"
try 0 --svg demo.svg --svg-kind sectors
grep -q 'scale_aos' demo.svg || fail "--svg-kind sectors: no picture of the demonstration"
try 7 run -- sh -c 'exit 7'

echo "$count cases hold"
