#!/bin/sh
# Every file under a phase's expected/ is used by a test of its CMakeLists.txt, and is not empty; every
# exercise has its stub's checksum, three hints, and a solution of the same name.
set -eu
cd "$(dirname "$0")/../.."
problems=$(
    tests/lint/files.sh 'phase*/expected/*' | while read -r golden; do
        phase=${golden%%/*}
        [ -s "$golden" ] || echo "$golden: empty"
        grep -rqF "${golden#"$phase"/}" "$phase/CMakeLists.txt" "$phase/tests" ||
            echo "$golden: no test uses it"
    done
    tests/lint/files.sh 'phase*/exercises/e[0-9][0-9]*' | while read -r stub; do
        phase=${stub%%/*} name=${stub##*/}
        [ -e "$phase/solutions/$name" ] || echo "$stub: no solution of that name"
        for hint in 'HINT 1:' 'HINT 2:' 'HINT 3:'; do
            if [ "$(grep -oF "$hint" "$stub" | wc -l)" -ne 1 ] ||
                ! grep -qE "^[^A-Za-z0-9]* $hint" "$stub"; then
                echo "$stub: needs exactly one '$hint', at the start of a line"
            fi
        done
        grep -q "  $name\$" "$phase/exercises/STUBS.sha256" ||
            echo "$stub: its checksum is not in STUBS.sha256"
    done
)
[ -z "$problems" ] || {
    echo "$problems"
    exit 1
}
