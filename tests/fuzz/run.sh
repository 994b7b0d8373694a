#!/bin/sh
# Run a libFuzzer program for LAB_FUZZ_SECONDS from a seed corpus, which it must not write to.
set -eu
target=$1 corpus=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
mkdir found
"$target" -max_total_time="${LAB_FUZZ_SECONDS:-5}" -timeout=10 -max_len=4096 -rss_limit_mb=2048 \
    -print_final_stats=1 -verbosity=0 found "$corpus"
