import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { expect, test } from 'vitest'
import { PAGE_COUNT_EXPORT, STATE_EXPORT } from './added-exports.ts'
import { rewriteModule } from './rewrite-module.ts'

const LIMIT = 1024 * 1024

/** A module like any other: it imports a function and has a global, so that only `parts` can be what is refused. */
const moduleWith = (parts: string, { memory = '(memory 1)' } = {}) =>
  parse(`(module
    (import "env" "f" (func $imported))
    ${memory}
    (global $state (mut i32) (i32.const 0))
    (table $table 4 funcref)
    (func $f (export "f"))
    ${parts})`)

const inFunction = (code: string) => `(func (export "run") ${code})`

test.each([
  ['table.set', inFunction('(table.set $table (i32.const 0) (ref.null func))'), 'uses table.set'],
  [
    'table.grow',
    inFunction('(drop (table.grow $table (ref.null func) (i32.const 1)))'),
    'changes a table',
  ],
  [
    'table.fill',
    inFunction('(table.fill $table (i32.const 0) (ref.null func) (i32.const 1))'),
    'changes a table',
  ],
  [
    'table.copy',
    inFunction('(table.copy (i32.const 0) (i32.const 1) (i32.const 1))'),
    'changes a table',
  ],
  [
    'table.init',
    `(elem $e func $f) ${inFunction('(table.init $e (i32.const 0) (i32.const 0) (i32.const 1))')}`,
    'changes a table',
  ],
  ['elem.drop', `(elem $e func $f) ${inFunction('(elem.drop $e)')}`, 'changes a table'],
  [
    'memory.init',
    `(data $d "x") ${inFunction('(memory.init $d (i32.const 0) (i32.const 0) (i32.const 1))')}`,
    'uses passive data segments',
  ],
  ['data.drop', `(data $d "x") ${inFunction('(data.drop $d)')}`, 'uses passive data segments'],
  ['a start function', '(start $f)', 'has a start function'],
  ['a global reference', '(global (mut funcref) (ref.null func))', 'has a global reference'],
  ['a global vector', '(global (mut v128) (v128.const i64x2 0 0))', 'has a global reference'],
  [
    'a computed global',
    '(global (mut i32) (i32.add (i32.const 1) (i32.const 2)))',
    'computes the first value of a global',
  ],
])('%s leaves state behind, so that the module gets a limit only', async (_, parts, reason) => {
  const { bytes, notResettable } = rewriteModule(await moduleWith(parts), LIMIT)
  expect(notResettable).toBe(reason)
  expect(bytes.includes(PAGE_COUNT_EXPORT)).toBe(false)
  expect(WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>)).toBe(true)
})

test.each([
  ['table', '(import "env" "x" (table 1 funcref))'],
  ['global', '(import "env" "x" (global (mut i32)))'],
])('an imported %s is shared state', async (_, extra) => {
  const module = await parse(`(module ${extra} (memory 1) (global (mut i32) (i32.const 0))
    (func (export "f")))`)
  expect(rewriteModule(module, LIMIT).notResettable).toBe('imports a memory, table or global')
})

test.each([
  ['a 64-bit memory', '(memory i64 1)', /64-bit memories/],
  ['a shared memory', '(memory 1 2 shared)', /shared/],
  ['two memories', '(memory 1) (memory 1)', /several/],
  ['no memory', '', /no memory of its own/],
])('%s cannot be limited and is refused', async (_, memory, message) => {
  const module = await moduleWith('', { memory })
  expect(() => rewriteModule(module, LIMIT)).toThrow(message)
})

test('a module cannot pass for one the host has rewritten', async () => {
  const module = await moduleWith(
    `(global (export "${PAGE_COUNT_EXPORT}") (mut i32) (i32.const 1))`,
  )
  expect(() => rewriteModule(module, LIMIT)).toThrow('"ftl:pages"')
})

test('globals of every number type are put back', async () => {
  const module = await moduleWith(`
    (global $wide (mut i64) (i64.const -7))
    (global $single (mut f32) (f32.const 1.5))
    (global $double (mut f64) (f64.const 2.5))
    (global $fixed i32 (i32.const 9))
    (func (export "run")
      (global.set $state (i32.const 1)) (global.set $wide (i64.const 1))
      (global.set $single (f32.const 0)) (global.set $double (f64.const 0)))`)
  const { bytes, notResettable } = rewriteModule(module, LIMIT)
  expect(notResettable).toBeUndefined()
  const { instance } = await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>, {
    env: { f: () => {} },
  })
  const globals = Object.entries(instance.exports).flatMap(([name, value]) =>
    name.startsWith(STATE_EXPORT) && value instanceof WebAssembly.Global ? [value] : [],
  )
  const first: unknown[] = globals.map(({ value }) => value as unknown)
  expect(first).toEqual([0, -7n, 1.5, 2.5])
  ;(instance.exports['run'] as () => void)()
  expect(globals.map(({ value }) => value as unknown)).toEqual([1, 1n, 0, 0])
  for (const [i, global] of globals.entries()) global.value = first[i]
  expect(globals.map(({ value }) => value as unknown)).toEqual([0, -7n, 1.5, 2.5])
})

test('what only reads tables or writes memory is no obstacle', async () => {
  const module = await moduleWith(`
    (type $t (func (result i32)))
    (elem (table $table) (i32.const 0) func $one)
    (func $one (type $t) (i32.const 1))
    (func (export "run") (param $n i32) (result i32) (local $v v128) (local $r funcref)
      (memory.copy (i32.const 0) (i32.const 8) (i32.const 8))
      (memory.fill (i32.const 0) (i32.const 0) (i32.const 8))
      (local.set $v (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
        (v128.load offset=300 (i32.const 0)) (i64x2.splat (i64.const -1))))
      (v128.store8_lane offset=3 3 (i32.const 0) (local.get $v))
      (drop (i32x4.extract_lane 2 (f32x4.abs (local.get $v))))
      (drop (i32.trunc_sat_f64_u (f64.const 1e300)))
      (drop (select (result funcref) (ref.null func) (ref.func $one) (local.get $n)))
      (drop (ref.is_null (table.get $table (i32.const 0))))
      (drop (table.size $table))
      (block $out (result i32)
        (br_table $out $out (i32.const 5) (local.get $n))))
    (func (export "call") (result i32) (call_indirect (type $t) (i32.const 0)))
    (func (export "size") (result i32) (memory.size))`)
  const { bytes, notResettable } = rewriteModule(module, LIMIT)
  expect(notResettable).toBeUndefined()
  const { instance } = await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>, {
    env: { f: () => {} },
  })
  const { run, call, size } = instance.exports as Record<string, (n?: number) => number>
  expect([run?.(1), call?.(), size?.()]).toEqual([5, 1, 1])
})
