#!/bin/sh
# Arrows point one way: common includes no phase, a phase includes only common and itself, and phase
# 12 may use the public headers (include/) of 04, 05, 06, 07, 09, 10 and 11.
set -eu
cd "$(dirname "$0")/../.."

# Header name as it is included -> the folder that owns it.
owners=$(tests/lint/files.sh '*.h' | awk '
    { own = $0; sub(/\/.*/, "", own) }
    /\/include\// { name = $0; sub(/.*\/include\//, "", name); print name, own, "public"; next }
    /\/src\// { name = $0; sub(/.*\/src\//, "", name); print name, own, "private" }')

tests/lint/files.sh '*.c' '*.h' '*.cu' | while read -r file; do
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$file" | while read -r name; do
        printf '%s %s\n' "$file" "$name"
    done
done | awk -v owners="$owners" '
    BEGIN {
        n = split(owners, line, "\n")
        for (i = 1; i <= n; i++) {
            split(line[i], f, " "); owner[f[1]] = f[2]; access[f[1]] = f[3]
        }
        split("04 05 06 07 09 10 11", list, " ")
        for (i in list) for12[list[i]] = 1
    }
    {
        from = $1; sub(/\/.*/, "", from)
        to = ($2 in owner) ? owner[$2] : from
        if (to == from || to == "common") next
        phase = substr(to, 6, 2)
        if (from ~ /^phase12/ && to ~ /^phase/ && phase in for12 && access[$2] == "public") next
        if (from == "tests") next
        printf "%s includes %s of %s\n", $1, $2, to; bad = 1
    }
    END { exit bad }'
