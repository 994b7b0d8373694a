#!/bin/sh
# Do the lint rules see what they are for? Each is run on a small tree with one thing wrong.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

fresh() { # a tree every rule accepts
    rm -rf "$tmp/t"
    mkdir -p "$tmp/t/tests" "$tmp/t/common/include/lab" "$tmp/t/phase01-a/src" "$tmp/t/phase02-b/src" \
        "$tmp/t/phase01-a/expected"
    cp -r "$here" "$tmp/t/tests/lint"
    printf '#ifndef A_H\n#define A_H\nint a(int x);\n#endif\n' >"$tmp/t/phase01-a/src/a.h"
    printf '#include "a.h"\n\nint a(int x)\n{\n    return x;\n}\n' >"$tmp/t/phase01-a/src/a.c"
    printf 'lab_expect(a GOLDEN expected/a.txt)\n' >"$tmp/t/phase01-a/CMakeLists.txt"
    printf '1\n' >"$tmp/t/phase01-a/expected/a.txt"
}

count=0
accepts() { # accepts RULE
    fresh
    "$tmp/t/tests/lint/$1.sh" >"$tmp/out" 2>&1 || {
        echo "$1 refuses a clean tree:"
        cat "$tmp/out"
        exit 1
    }
    count=$((count + 1))
}
refuses() { # refuses RULE TEXT: after the tree was spoilt, the rule fails and says TEXT
    if "$tmp/t/tests/lint/$1.sh" >"$tmp/out" 2>&1; then
        echo "$1 accepts what it must refuse ($2)"
        exit 1
    fi
    grep -qF -e "$2" "$tmp/out" || {
        echo "$1 refuses, but does not say '$2':"
        cat "$tmp/out"
        exit 1
    }
    count=$((count + 1))
}
lines() { # lines N TEXT: the text N times
    i=0
    while [ $i -lt "$1" ]; do
        printf '%s\n' "$2"
        i=$((i + 1))
    done
}

for rule in includes sizes headers tree goldens; do
    accepts $rule
done

fresh
printf '#include "a.h"\n' >"$tmp/t/common/include/lab/x.h"
refuses includes 'includes a.h of phase01-a'
fresh
printf '#include "a.h"\n' >"$tmp/t/phase02-b/src/b.c"
refuses includes 'phase02-b/src/b.c includes a.h'

fresh
lines 501 'int x;' >"$tmp/t/phase01-a/src/long.c"
refuses sizes '501 lines'
fresh
{ printf 'int f(void)\n{\n' && lines 61 '    g();' && printf '}\n'; } >"$tmp/t/phase01-a/src/f.c"
refuses sizes 'a function of 61 lines'
fresh
printf 'int f(int a, int b,\n      int c, int d, int e, int f)\n{\n    return 0;\n}\n' \
    >"$tmp/t/phase01-a/src/f.c"
refuses sizes 'a function of 6 parameters'
fresh
printf 'int f(void)\n{\n  if (a) {\n  if (b) {\n  if (c) {\n  if (d) {\n  }\n  }\n  }\n  }\n}\n' \
    >"$tmp/t/phase01-a/src/f.c"
refuses sizes 'nested 4 deep'

fresh
printf 'uint32_t a(void);\n' >"$tmp/t/phase01-a/src/b.h"
refuses headers 'phase01-a/src/b.h does not compile alone'

fresh
printf 'a\0b\n' >"$tmp/t/phase01-a/src/blob"
refuses tree 'a binary file'
fresh
chmod +x "$tmp/t/phase01-a/src/a.c"
refuses tree 'has the run bit'
fresh
printf '[x](nowhere.md)\n' >"$tmp/t/README.md"
refuses tree 'the link to nowhere.md leads nowhere'

fresh
printf '2\n' >"$tmp/t/phase01-a/expected/unused.txt"
refuses goldens 'no test uses it'

fresh
mkdir "$tmp/t/phase01-a/exercises" "$tmp/t/phase01-a/solutions"
: >"$tmp/t/phase01-a/solutions/e01_a.c"
printf '/*\n * HINT 1: a\n * HINT 2: b HINT 3: c\n */\n' >"$tmp/t/phase01-a/exercises/e01_a.c"
(cd "$tmp/t/phase01-a/exercises" && sha256sum e01_a.c >STUBS.sha256)
refuses goldens "needs exactly one 'HINT 3:', at the start of a line"

echo "$count lint cases hold"
