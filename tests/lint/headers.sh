#!/bin/sh
# Each header compiles alone: it includes what it uses. CC is the compiler (default cc).
set -eu
cd "$(dirname "$0")/../.."
status=0
for header in $(tests/lint/files.sh 'common/*.h' 'phase*.h'); do
    phase=${header%%/*}
    printf '#include "%s"\n' "$PWD/$header" |
        "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wstrict-prototypes -Wno-unknown-pragmas -Werror \
            -Icommon/include -I"$phase/include" -I"$phase/src" -fsyntax-only -xc - || {
        echo "$header does not compile alone"
        status=1
    }
done
exit $status
