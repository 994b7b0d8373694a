#!/bin/sh
# What ./lab setup, run and test do with packages, builds and tests, good and bad: on a small tree of two
# labs, with stand-ins for apt, cmake and ctest that do what files in $tmp say.
set -eu
lab=$(cd "$(dirname "$0")/../.." && pwd)/lab
tmp=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$tmp"' EXIT INT TERM
tree="$tmp/a tree"
mkdir -p "$tree/phase01-x" "$tree/tests" "$tree/build/release/bin" "$tmp/bin" "$tmp/else where"
cp "$lab" "$tree/lab"
for name in one two; do
    printf 'lab_program(%s\n    SUMMARY "what %s asks"\n)\n' $name $name
    printf '#!/bin/sh\npwd\nprintf "<%%s>\\n" %s "$@"\n' $name >"$tree/build/release/bin/$name"
    chmod +x "$tree/build/release/bin/$name"
done >"$tree/phase01-x/CMakeLists.txt"

# All packages are there but those in $FAKE/missing.
cat >"$tmp/bin/dpkg-query" <<'SH'
#!/bin/sh
for package in "$@"; do :; done
grep -qxF -e "$package" "$FAKE/missing" || echo installed
SH
# As apt-get answers someone who is not root, until it is run through sudo.
cat >"$tmp/bin/apt-get" <<'SH'
#!/bin/sh
case " $* " in
*' -s '*) ;;
*' --print-uris '*) echo 'Need to get 53.1 kB of archives.' ;;
*)
    [ "${FAKE_ROOT:-}" = yes ] || {
        echo 'E: Could not open lock file, are you root?'
        exit 100
    }
    : >"$FAKE/missing"
    echo "apt-get $*"
    ;;
esac
SH
cat >"$tmp/bin/sudo" <<'SH'
#!/bin/sh
FAKE_ROOT=yes exec "$@"
SH
cat >"$tmp/bin/id" <<'SH'
#!/bin/sh
echo 1000
SH
# Configures always; builds unless a target is named in $FAKE/broken.
cat >"$tmp/bin/cmake" <<'SH'
#!/bin/sh
for word in "$@"; do
    if grep -qxF -e "$word" "$FAKE/broken"; then
        echo "error in $word"
        exit 1
    fi
done
SH
# Writes the report in $FAKE/junit and exits as $FAKE/ctest says.
cat >"$tmp/bin/ctest" <<'SH'
#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" = --output-junit ] && cp "$FAKE/junit" "$2"
    shift
done
echo "90% tests passed, 1 tests failed out of 10"
exit "$(cat "$FAKE/ctest")"
SH
chmod +x "$tmp"/bin/*
export PATH="$tmp/bin:$PATH" FAKE="$tmp"
unset CI
: >"$tmp/broken"
: >"$tmp/missing"

try() { # try WANTED-EXIT COMMAND...: from another folder; the output of both streams in out
    want=$1
    shift
    status=0
    (cd "$tmp/else where" && "$@") >"$tmp/out" 2>&1 </dev/null || status=$?
    [ $status -eq "$want" ] || fail "$* exits $status, expected $want"
}
says() { grep -qF -e "$1" "$tmp/out" || fail "it does not say '$1'"; }
fail() {
    echo "lab: $*"
    sed 's/^/  /' "$tmp/out"
    exit 1
}

# setup: names and sizes first, then the installation; a second time nothing.
echo libcmocka-dev >"$tmp/missing"
try 0 "$tree/lab" setup
head -n 2 "$tmp/out" >"$tmp/got"
printf 'lab: to install: libcmocka-dev\nlab: Need to get 53.1 kB of archives.\n' |
    diff - "$tmp/got" >/dev/null || fail "setup does not say what it will install, and how much"
says 'install -y -q --no-install-recommends libcmocka-dev'
try 0 "$tree/lab" setup one
[ "$(cat "$tmp/out")" = 'lab: everything is there' ] || fail "a second setup does something"

# run: the labs get their arguments as they were typed, and stand where the caller stands.
try 0 "$tree/lab" run one -- run 'a b' '' '*' "$(printf 'c\nd')"
says "$tmp/else where"
tail -n +5 "$tmp/out" | head -n 6 >"$tmp/got"
printf '<one>\n<run>\n<a b>\n<>\n<*>\n<c\n' | diff - "$tmp/got" >/dev/null || fail "the arguments changed"
try 0 "$tree/lab" run
says 'summary: 2 labs'
ln -s "$tree/lab" "$tmp/link"
try 0 "$tmp/link" list
says 'what two asks'

: >"$tmp/else where/one"
# A lab's name is a name, no pattern.
for name in on o.e '*'; do
    try 2 "$tree/lab" run "$name"
    says "no lab is named '$name'"
done

# A lab that does not build does not stop the other one.
echo one >"$tmp/broken"
try 1 "$tree/lab" run
says 'did not build'
says '<two>'
try 3 "$tree/lab" run one
try 0 "$tree/lab" run two
: >"$tmp/broken"

# test: ctest's exit code, and on CI the skips that are agreed on.
tested() { # tested WANTED-EXIT CTEST-EXIT SKIPPED-TESTS ALLOWED-SKIPS
    echo "$2" >"$tmp/ctest"
    for name in a b; do
        status=run reason=fine
        case $3 in *$name*) status=notrun reason='SKIP: no &quot;gpu&quot;' ;; esac
        printf '<testcase name="%s" status="%s">\n<system-out>%s</system-out>\n</testcase>\n' \
            $name $status "$reason"
    done >"$tmp/junit"
    printf '%s\n' "$4" >"$tree/tests/ci-skips.txt"
    try "$1" env "${5:-CI=true}" "$tree/lab" test
}
tested 0 0 '' '# none'
tested 8 8 '' '# none'
tested 8 8 '' '# none' CI=
tested 0 0 b 'b no gpu'
says 'b                                    no "gpu"'
tested 1 0 b '# none'
says 'test b skipped, and tests/ci-skips.txt does not list it'
tested 0 0 b '# none' CI=
tested 1 0 '' 'b no gpu'
says 'test b ran, but'
tested 0 0 '' 'of.another.preset no gpu'
echo "./lab runs and tests as it says"
