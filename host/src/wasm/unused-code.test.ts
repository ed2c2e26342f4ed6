import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutUnusedCode } from './unused-code.ts'

/** Of a function with the body below, and of the one that takes its place: with the size in front. */
const BODY_BYTES = 8
const EMPTY_BYTES = 4

const bodyOf = (index: number) => `i32.const ${1_000_000 + index} drop`

/** The numbers of the functions whose bodies are still there: each has its number as a constant. */
function kept(module: Uint8Array, functions: number): number[] {
  const constant = (index: number) => {
    const value = 1_000_000 + index
    return Buffer.from([0x41, (value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14, 0x1a])
  }
  const bytes = Buffer.from(module)
  return Array.from({ length: functions }, (_, index) => index).filter((index) =>
    bytes.includes(constant(index)),
  )
}

async function left(text: string, functions: number): Promise<number[]> {
  const module = await parse(`(module ${text})`)
  expect(kept(module, functions)).toHaveLength(functions)
  const result = withoutUnusedCode(module)
  await WebAssembly.compile(result as Uint8Array<ArrayBuffer>)
  return kept(result, functions)
}

test.each([
  ['an export', '(export "f" (func 0))'],
  ['the start', '(start 0)'],
  ['a table', '(table 1 funcref) (elem (i32.const 0) func 0)'],
  ['a table of expressions', '(table 1 funcref) (elem (i32.const 0) funcref (ref.func 0))'],
  ['a table by its number', '(table 1 funcref) (elem (table 0) (i32.const 0) func 0)'],
  ['a segment that is not placed', '(elem func 0)'],
  ['a declaration', '(elem declare func 0)'],
  ['a global', '(global funcref (ref.func 0))'],
])('a function that is reached by %s stays, with those that it calls', async (_, entry) => {
  const text = `
    (func ${bodyOf(0)} call 2)
    (func ${bodyOf(1)} call 2)
    (func ${bodyOf(2)})
    (func ${bodyOf(3)})
    ${entry}`
  expect(await left(text, 4)).toEqual([0, 2])
})

test('functions that only call each other are left out', async () => {
  const text = `
    (func ${bodyOf(0)} call 1)
    (func ${bodyOf(1)} call 0)
    (func (export "f") ${bodyOf(2)})`
  expect(await left(text, 3)).toEqual([2])
})

test('a function that is referred to stays', async () => {
  const text = `
    (func ${bodyOf(0)})
    (elem declare func 0)
    (func (export "f") ${bodyOf(1)} ref.func 0 drop)`
  expect(await left(text, 2)).toEqual([0, 1])
})

test('imports of every kind are counted as they are', async () => {
  const text = `
    (import "a" "table" (table 1 funcref))
    (import "a" "f" (func))
    (import "a" "memory" (memory 1))
    (import "a" "g" (func))
    (import "a" "global" (global i32))
    (func ${bodyOf(0)} call 0)
    (func ${bodyOf(1)} call 2 call 1)
    (func ${bodyOf(2)})
    (export "f" (func 3))`
  expect(await left(text, 3)).toEqual([0, 1])
})

test('a function may call others as often as it likes', async () => {
  const calls = 'call 1 '.repeat(300_000)
  expect(await left(`(func (export "f") ${bodyOf(0)} ${calls}) (func ${bodyOf(1)})`, 2)).toEqual([
    0, 1,
  ])
})

test('a module without code stays as it is', async () => {
  const module = await parse('(module (memory (export "memory") 1))')
  expect(Buffer.from(withoutUnusedCode(module))).toEqual(Buffer.from(module))
})

test('what stays runs as before', async () => {
  const module = await parse(
    `(module (func ${bodyOf(0)}) (func (export "f") (result i32) i32.const 7))`,
  )
  const { instance } = await WebAssembly.instantiate(
    withoutUnusedCode(module) as Uint8Array<ArrayBuffer>,
  )
  expect((instance.exports['f'] as () => number)()).toBe(7)
  expect(withoutUnusedCode(module)).toHaveLength(module.length - BODY_BYTES + EMPTY_BYTES)
})

/** What a walk from the exported functions reaches, by repeating it until nothing is new. */
function closure(calls: readonly (readonly number[])[], exported: readonly number[]): number[] {
  let found = new Set(exported)
  for (;;) {
    const next = new Set([...found, ...[...found].flatMap((index) => calls[index] ?? [])])
    if (next.size === found.size) return [...found].sort((a, b) => a - b)
    found = next
  }
}

test('of any functions, those stay that the exported ones lead to', async () => {
  const size = 12
  const index = fc.nat({ max: size - 1 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(index, { maxLength: 2 }), { minLength: size, maxLength: size }),
      fc.uniqueArray(index, { minLength: 1, maxLength: 3 }),
      async (calls, exported) => {
        const text = [
          ...calls.map(
            (called, at) =>
              `(func ${bodyOf(at)} ${called.map((each) => `call ${each}`).join(' ')})`,
          ),
          ...exported.map((each) => `(export "f${each}" (func ${each}))`),
        ].join('\n')
        expect(await left(text, size)).toEqual(closure(calls, exported))
      },
    ),
  )
})
