#!/bin/sh
# The project's own files, one a line, from the root: what git tracks, or all but build/ without git.
# files.sh [PATTERN...]: shell patterns on the path.
set -eu
cd "$(dirname "$0")/../.."
if git rev-parse --is-inside-work-tree >/dev/null 2>&1 && [ -n "$(git ls-files | head -n 1)" ]; then
    git ls-files --cached --others --exclude-standard
else
    find . -type f ! -path './build/*' ! -path './.git/*' | sed 's|^\./||'
fi | while read -r path; do
    [ -f "$path" ] || continue
    [ $# -gt 0 ] || printf '%s\n' "$path"
    for pattern in "$@"; do
        # shellcheck disable=SC2254  # the pattern is one
        case $path in
        $pattern) printf '%s\n' "$path" ;;
        esac
    done
done | sort
