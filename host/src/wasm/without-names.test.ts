import { parse, print } from '@bytecodealliance/jco-transpile/wasm-tools'
import { expect, test } from 'vitest'
import { readSections } from './binary.ts'
import { withoutNames } from './without-names.ts'

test('a module loses the names of its functions, and nothing else', async () => {
  const module = await parse(
    '(module $m (func $inner (export "outer") (result i32) i32.const 7) (@custom "kept" "x"))',
  )
  expect(await print(module)).toContain('$inner')
  const result = withoutNames(module)
  const text = await print(result)
  expect(text).not.toContain('$inner')
  expect(text).toContain('(@custom "kept"')
  const { instance } = await WebAssembly.instantiate(result as Uint8Array<ArrayBuffer>)
  expect((instance.exports['outer'] as () => number)()).toBe(7)
})

test('a component loses its own names and those of its modules', async () => {
  const component = await parse(
    '(component $c (core module $m (func $inner (export "f"))) (core instance $i (instantiate $m)))',
  )
  expect(await print(component)).toContain('(core instance $i ')
  const text = await print(withoutNames(component))
  expect(text).not.toMatch(/\$(i|m|inner)\b/)
  expect(text).toContain('(export "f"')
})

test('without names nothing changes', async () => {
  const module = withoutNames(await parse('(module (func $f))'))
  expect(withoutNames(module)).toEqual(module)
  expect(readSections(module).some(({ id }) => id === 0)).toBe(false)
})
