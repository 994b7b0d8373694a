#!/bin/sh
# No stray files: nothing binary but what a list allows, the run bit only on scripts, no leftovers of
# an edit or merge, no text without a final newline, and links in the texts that lead somewhere.
set -eu
cd "$(dirname "$0")/../.."
problems=$(
    tests/lint/files.sh | while read -r path; do
        case $path in
        *.orig | *.rej | *.swp | *.o | *.a | *.so | core | core.*) echo "$path: a leftover" ;;
        esac
        case $path in
        */corpus/* | */data/* | *.png | *.gz) continue ;; # inputs may be any bytes
        esac
        if [ -s "$path" ] && ! LC_ALL=C grep -qI . "$path"; then
            echo "$path: a binary file"
            continue
        fi
        if [ -s "$path" ] && [ -n "$(tail -c 1 "$path")" ]; then
            echo "$path: no newline at the end"
        fi
        if [ -x "$path" ] && [ "$(head -c 2 "$path")" != '#!' ]; then
            echo "$path: has the run bit and is no script"
        fi
        if grep -qE '^(<<<<<<<|>>>>>>>) ' "$path"; then
            echo "$path: a merge conflict"
        fi
    done
    tests/lint/files.sh '*.md' | while read -r page; do
        grep -oE '\]\([^)#: ]+[)#]' "$page" | sed -e 's/^](//' -e 's/[)#]$//' | sort -u |
            while read -r target; do
                [ -e "$(dirname "$page")/$target" ] || echo "$page: the link to $target leads nowhere"
            done || true
    done
)
[ -z "$problems" ] || {
    echo "$problems"
    exit 1
}
