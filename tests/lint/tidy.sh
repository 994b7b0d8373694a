#!/bin/sh
# clang-tidy on every C file of this build. tidy.sh BUILD-FOLDER
set -eu
cd "$(dirname "$0")/../.."
command -v clang-tidy >/dev/null 2>&1 || {
    echo "SKIP: clang-tidy is not installed (./lab setup --dev)"
    exit 77
}
# The commands were written for gcc: clang does not know all of its options.
tests/lint/files.sh '*.c' | grep -vE '/(wrong|exercises)/' |
    xargs -P "$(nproc)" -n 8 clang-tidy -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option
