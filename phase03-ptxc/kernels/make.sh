#!/bin/sh
# Regenerate the committed PTX from the .cu files beside it: make.sh [OUTPUT-FOLDER].
# With --check, regenerate into a temporary folder and compare all but the comment lines; exit 77
# without nvcc of the CUDA version the committed files name.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
check=no out=$here
case ${1:-} in
--check) check=yes ;;
?*) out=$1 ;;
esac
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
command -v "$NVCC" >/dev/null 2>&1 || {
    echo "SKIP: nvcc is not installed (CUDA toolkit 13.0)"
    exit 77
}
release=$("$NVCC" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
if [ "$check" = yes ]; then
    want=$(sed -n 's|^// Cuda compilation tools, release \([0-9.]*\),.*|\1|p' "$here/vec_add.ptx")
    [ "$release" = "$want" ] || {
        echo "SKIP: nvcc is of CUDA $release, the committed PTX is of $want"
        exit 77
    }
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
fi
cd "$here"
for source in *.cu; do
    name=${source%.cu}
    "$NVCC" -ptx -arch=compute_75 -O3 "$source" -o "$out/$name.tmp"
    {
        echo "// nvcc -ptx -arch=compute_75 -O3 $source -o $name.ptx"
        cat "$out/$name.tmp"
    } >"$out/$name.ptx"
    rm "$out/$name.tmp"
    if [ "$check" = yes ]; then
        grep -v '^//' "$name.ptx" >"$out/want"
        grep -v '^//' "$out/$name.ptx" >"$out/got"
        cmp "$out/want" "$out/got" || {
            echo "$name.ptx is not what nvcc makes of $source: run kernels/make.sh"
            exit 1
        }
    fi
done
