#!/bin/sh
# ziglang 0.17.1 (PyPI), zig cc: -O2 is -O3, and -Os is -Oz.
#
# Guess: as with clang, which it contains, -O2 makes less code than -O3, and -Os more than -Oz: to try the four shows what speed costs.
# Seen (30 November 2026): for the target wasm32-wasi, the objects of -O2 and -O3 have the same bytes, and those of -Os and -Oz. The
# levels of zig are two: fast and small. What lies between is a matter of attributes of single functions: with
# __attribute__((minsize)) a function is compiled to be small in a file that is compiled with -O3.
#
#   -O2 and -O3: the same object, -Os and -Oz: the same object, these two differ
#   -O3 with minsize: smaller than -O3
#
# Needs Python 3 with venv. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv tools
tools/bin/pip install --quiet --disable-pip-version-check ziglang==0.17.1

cat > sum.c <<'C'
#ifdef SMALL
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
int total(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += values[i] * i;
  return sum;
}
int smallest(const short *values, int count) {
  int least = values[0];
  for (int i = 1; i < count; i++)
    if (values[i] < least) least = values[i];
  return least;
}
#ifdef SMALL
#pragma clang attribute pop
#endif
C

compile() {
  name=$1
  shift
  tools/bin/python -m ziglang cc -target wasm32-wasi "$@" -c sum.c -o "$name.o"
}
for level in O2 O3 Os Oz; do compile "$level" "-$level"; done
compile marked -O3 -DSMALL
size() { wc -c < "$1.o" | tr -d ' '; }
for name in O2 O3 Os Oz marked; do echo "$name: $(size "$name") bytes"; done

cmp O2.o O3.o
cmp Os.o Oz.o
if cmp -s O3.o Os.o; then
  echo 'fast and small are the same'
  exit 1
fi
if [ "$(size marked)" -ge "$(size O3)" ]; then
  echo 'minsize makes it no smaller'
  exit 1
fi
