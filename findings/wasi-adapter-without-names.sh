#!/bin/sh
# jco 1.35.0 (npm, @bytecodealliance/jco): the adapter for WASI 0.1 needs its name section, and nothing says so where it is missing.
#
# Guess: the custom section `name` is for people who debug. A component that is put together with an adapter without it is the same
# component with fewer bytes.
# Seen (30 November 2026): `jco new` builds a valid component in both cases, without a warning. With the adapter as the package has it,
# a program that writes a line with `fd_write` writes it. With the same adapter without its names (40.5 instead of 51.8 KB), the
# component has 4 KB less, `fd_write` returns an error, and nothing is written. The step that joins the two finds the variables for
# the adapter's stack by their names (wasm-tools, pull request 919). Names can be left out of the component that is made.
#
#   with names: hello, status 0
#   without: nothing, status 1
#
# Needs Node 20 or newer and npm. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

printf '{ "private": true, "type": "module" }\n' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @bytecodealliance/jco@1.35.0
adapter=node_modules/@bytecodealliance/jco/lib/wasi_snapshot_preview1.command.wasm

cat > core.wat <<'WAT'
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "hello\n")
  (func (export "_start")
    (i32.store (i32.const 0) (i32.const 16))
    (i32.store (i32.const 4) (i32.const 6))
    (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))
    (if (then (call $exit (i32.const 1))))))
WAT

cat > without-names.js <<'JS'
import { readFileSync, writeFileSync } from 'node:fs'

const [from, to] = process.argv.slice(2)
const bytes = readFileSync(from)

function number(at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]
    value |= (byte & 127) << shift
    if (byte < 128) return [value, at]
  }
}

const parts = [bytes.subarray(0, 8)]
for (let at = 8; at < bytes.length; ) {
  const [size, start] = number(at + 1)
  const [length, name] = number(start)
  const isNames = bytes[at] === 0 && bytes.toString('utf8', name, name + length) === 'name'
  if (!isNames) parts.push(bytes.subarray(at, start + size))
  at = start + size
}
writeFileSync(to, Buffer.concat(parts))
JS

node without-names.js "$adapter" without-names.wasm
npx jco parse core.wat -o core.wasm
npx jco new core.wasm --adapt wasi_snapshot_preview1="$adapter" -o named.wasm
npx jco new core.wasm --adapt wasi_snapshot_preview1=without-names.wasm -o nameless.wasm

# $1 component. Prints what it writes, and its status.
result() {
  if written=$(npx jco run "$1" 2> /dev/null); then status=0; else status=$?; fi
  printf '%s, status %s\n' "${written:-nothing}" "$status"
}

seen=$(printf 'with names: %s\nwithout: %s' "$(result named.wasm)" "$(result nameless.wasm)")
expected='with names: hello, status 0
without: nothing, status 1'
printf '%s\n' "$seen"
[ "$seen" = "$expected" ]
