#!/bin/sh
# File and function sizes (sizes.awk says which), on every C file.
set -eu
cd "$(dirname "$0")/../.."
tests/lint/files.sh '*.c' '*.h' '*.cu' | tr '\n' '\0' | LC_ALL=C xargs -0 awk -f tests/lint/sizes.awk
