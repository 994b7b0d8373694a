#!/bin/sh
# Every script is POSIX sh (or says bash) and passes shellcheck.
set -eu
cd "$(dirname "$0")/../.."
command -v shellcheck >/dev/null 2>&1 || {
    echo "SKIP: shellcheck is not installed (./lab setup --dev)"
    exit 77
}
# shellcheck disable=SC2046  # file names of the project hold no blanks
shellcheck lab .ci/run $(tests/lint/files.sh '*.sh')
