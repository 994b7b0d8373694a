#!/bin/sh
# Run a libFuzzer program for LAB_FUZZ_SECONDS from a seed corpus, which it must not write to. An input
# that breaks the target is printed (base64) and kept under TMPDIR, and the exit code is 1: libFuzzer's
# own 77 would read as a skipped test.
set -eu
target=$1 corpus=$2
work=$(mktemp -d)
cd "$work"
mkdir found
status=0
"$target" -max_total_time="${LAB_FUZZ_SECONDS:-5}" -timeout=10 -max_len=4096 -rss_limit_mb=2048 \
    -error_exitcode=1 -timeout_exitcode=1 -print_final_stats=1 -verbosity=0 found "$corpus" || status=1
for input in crash-* oom-* timeout-* leak-*; do
    [ -e "$input" ] || continue
    kept=$(mktemp "${TMPDIR:-/tmp}/$(basename "$target").XXXXXX")
    cp "$input" "$kept"
    echo "the input that broke it is in $kept; its bytes:"
    base64 "$input" | head -n 40
done
rm -rf "$work"
exit $status
