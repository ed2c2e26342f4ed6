import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { expect, test } from 'vitest'
import { readComponent } from '../generic/read-component.ts'
import { fastWay } from './core-module.ts'

const HANDLER = 'wasi:http/incoming-handler@0.2.4#handle'

const main = (parts = '', { realloc = 'cabi_realloc', name = '' } = {}) => `(core module ${name}
  ${parts}
  (memory (export "memory") 1)
  (func (export "${realloc}") (param i32 i32 i32 i32) (result i32) (i32.const 0))
  (func (export "${HANDLER}") (param i32 i32)))`

const wayOf = async (wat: string) => fastWay(readComponent(await parse(`(component ${wat})`)))

test('one main module that imports what the host has can stand for the component', async () => {
  const imports = `
    (import "wasi:io/streams@0.2.12" "[method]input-stream.read" (func (param i32 i64 i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))`
  const way = await wayOf(`(core module) ${main(imports)} (core module)`)
  expect(
    'main' in way &&
      WebAssembly.Module.exports(new WebAssembly.Module(new Uint8Array(way.main))).map(
        ({ name }) => name,
      ),
  ).toEqual(['memory', 'cabi_realloc', HANDLER])
})

test.each([
  ['two modules with the handler', main() + main(), /none of its core modules/],
  ['no module with the handler', '(core module (memory 1))', /none of its core modules/],
  ['another allocator', main('', { realloc: 'realloc' }), /does not export cabi_realloc/],
  [
    'a module that has to be started',
    main('(func (export "_initialize"))'),
    /has to be started by _initialize/,
  ],
  [
    'a table from another module',
    main('(import "env" "table" (table 1 funcref))'),
    /shares a memory/,
  ],
  [
    'a function the host does not have',
    main('(import "wasi:io/streams@0.2.0" "[method]input-stream.rewind" (func))'),
    /imports "\[method\]input-stream\.rewind" of wasi:io\/streams@0\.2\.0/,
  ],
  [
    'functions of another component',
    main('(import "acme:tools/words@1.0.0" "shout" (func))'),
    /imports "shout" of acme:tools\/words@1\.0\.0/,
  ],
  [
    // It could stand between the main module and the host.
    'a component inside',
    `(component (core module)) ${main()}`,
    /composed of several components/,
  ],
])('%s takes the generic way', async (_, wat, reason) => {
  const way = await wayOf(wat)
  expect('refused' in way && way.refused).toMatch(reason)
})

test('a component inside that only renames what it is given changes nothing', async () => {
  const way = await wayOf(`(component (import "f" (func)) (export "g" (func 0))) ${main()}`)
  expect(way).toHaveProperty('main')
})
