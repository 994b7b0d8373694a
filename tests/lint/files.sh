#!/bin/sh
# The project's own files, one a line, from the root: what git tracks, or all but build/ without git.
# An exercise that someone has begun is theirs, and no house rule judges it: STUBS.sha256 tells.
# files.sh [PATTERN...]: shell patterns on the path.
set -eu
cd "$(dirname "$0")/../.."

begun() { # begun PATH: is it an exercise's file that is no longer the stub?
    stub=$(sed -n "s/  ${1##*/}\$//p" "${1%/*}/STUBS.sha256" 2>/dev/null || true)
    [ -n "$stub" ] && [ "$stub" != "$(sha256sum <"$1" | cut -d' ' -f1)" ]
}

if git rev-parse --is-inside-work-tree >/dev/null 2>&1 && [ -n "$(git ls-files | head -n 1)" ]; then
    git ls-files --cached --others --exclude-standard
else
    find . -type f ! -path './build/*' ! -path './.git/*' | sed 's|^\./||'
fi | while read -r path; do
    [ -f "$path" ] || continue
    case $path in
    phase*/exercises/*) ! begun "$path" || continue ;;
    esac
    [ $# -gt 0 ] || printf '%s\n' "$path"
    for pattern in "$@"; do
        # shellcheck disable=SC2254  # the pattern is one
        case $path in
        $pattern) printf '%s\n' "$path" ;;
        esac
    done
done | sort
