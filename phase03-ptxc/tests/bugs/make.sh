#!/bin/sh
# Regenerate the PTX of tests/bugs and tests/clean from the .cu files beside it.
# With --check, regenerate into a temporary folder and compare all but the comment lines; exit 77
# without nvcc of the CUDA version the committed files name.
#
# nvcc -lineinfo writes the source's full path into .file; it is cut to the bare name, which the
# reports look up beside the PTX.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
check=no
[ "${1:-}" = --check ] && check=yes
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
command -v "$NVCC" >/dev/null 2>&1 || {
    echo "SKIP: nvcc is not installed (CUDA toolkit 13.0)"
    exit 77
}
release=$("$NVCC" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
work=$(mktemp -d)
internal=95,73,78,84,69,82,78,65,76,95
trap 'rm -rf "$work"' EXIT
for folder in bugs clean; do
    cd "$here/$folder"
    for source in *.cu; do
        ptx=${source%.cu}.ptx
        want=$(sed -n 's|^// Cuda compilation tools, release \([0-9.]*\),.*|\1|p' "$ptx" 2>/dev/null || true)
        if [ "$check" = yes ] && [ "$release" != "$want" ]; then
            echo "SKIP: nvcc is of CUDA $release, the committed PTX is of $want"
            exit 77
        fi
        "$NVCC" -ptx -arch=compute_75 -O3 -lineinfo "$source" -o "$work/$ptx"
        {
            echo "// nvcc -ptx -arch=compute_75 -O3 -lineinfo $source -o $ptx"
            sed "s|^\\([[:space:]]*\\.file[[:space:]]*[0-9]*[[:space:]]*\"\\)/[^\"]*/|\\1|" "$work/$ptx"
        } >"$work/out"
        if [ "$check" = no ]; then
            cp "$work/out" "$ptx"
            continue
        fi
        # A debug string names the unit "_INTERNAL_" with a hash of where it was compiled.
        grep -vE "^//|^\.b8 .*,$internal," "$ptx" >"$work/want"
        grep -vE "^//|^\.b8 .*,$internal," "$work/out" >"$work/got"
        cmp "$work/want" "$work/got" || {
            echo "$folder/$ptx is not what nvcc makes of $source: run tests/bugs/make.sh"
            exit 1
        }
    done
done
