#!/bin/sh
# The README's two commands on a fresh Debian 12: a minimal system made by debootstrap in a temporary
# folder, a clean clone inside it, nothing else. Needs root and Debian's package servers.
# fresh-debian.sh [FOLDER]: use (and keep) a system made earlier.
set -eu
cd "$(dirname "$0")/../.."

skip() {
    echo "SKIP: $*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "needs root (debootstrap, chroot)"
command -v debootstrap >/dev/null 2>&1 || skip "debootstrap is not installed"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip "not a git clone"

if [ $# -gt 0 ]; then
    system=$1
else
    system=$(mktemp -d)
    trap 'rm -rf "$system"' EXIT INT TERM
    debootstrap --variant=minbase bookworm "$system" >"$system.log" 2>&1 || {
        tail -n 3 "$system.log"
        skip "debootstrap could not fetch Debian's packages"
    }
    rm -f "$system.log"
fi
rm -rf "$system/root/labs"
git clone -q --no-hardlinks . "$system/root/labs"

# shellcheck disable=SC2016  # the inner shell expands its own $1
# In name spaces of its own, so that mounts and processes end with it.
unshare --mount --pid --fork sh -eu -c '
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sys "$1/sys"
    mount --rbind /dev "$1/dev"
    chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C sh -eu -c "
        cd /root/labs
        ./lab run </dev/null
        ./lab setup </dev/null >/tmp/second 2>&1
        cat /tmp/second
        if grep -q \"to install\" /tmp/second; then
            exit 1
        fi
        ./lab test </dev/null
    "' sh "$system"
echo "the two commands work on a fresh Debian 12"
