import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { expect, test } from 'vitest'
import { Guest } from '../instance/guest.ts'
import { offered } from '../instance/imports.ts'
import { isOffered, OFFERED_INTERFACES } from '../instance/interfaces.ts'
import { preview1 } from '../instance/preview1.ts'
import type { ComponentServices } from '../instance/services.ts'
import { prepareGeneric } from './prepare-generic.ts'
import { readComponent } from './read-component.ts'

const MEBIBYTE = 1024 * 1024
const HANDLER = `(instance $h) (export "wasi:http/incoming-handler@0.2.3" (instance $h))`

const prepared = async (parts: string, memoryLimit = MEBIBYTE) =>
  prepareGeneric({
    component: readComponent(await parse(`(component ${parts} ${HANDLER})`)),
    memoryLimit,
    reason: 'a test',
  })

/** Pages the memories of the prepared modules can grow to. */
async function grown(parts: string, memoryLimit?: number): Promise<number[]> {
  const { modules } = await prepared(parts, memoryLimit)
  return modules.map((module) => {
    const memory = new WebAssembly.Instance(module).exports['memory'] as WebAssembly.Memory
    let pages = memory.buffer.byteLength / 65_536
    for (;;) {
      try {
        memory.grow(1)
        pages++
      } catch {
        return pages
      }
    }
  })
}

const core = (name: string, pages: string) =>
  `(core module $${name} (memory (export "memory") ${pages}))`
const instance = (name: string) => `(core instance (instantiate $${name}))`

test('a memory ends at the limit, whatever the module says', async () => {
  expect(await grown(core('a', '1') + instance('a'))).toEqual([16])
  expect(await grown(core('a', '1 100') + instance('a'))).toEqual([16])
  expect(await grown(core('a', '1 3') + instance('a'))).toEqual([3])
})

test('several memories share the limit: what each needs to start, and equal parts of the rest', async () => {
  const two = core('a', '2') + core('b', '4')
  // 16 pages, 6 of them needed: 2 + 5 and 4 + 5.
  expect(await grown(two + instance('a') + instance('b'))).toEqual([7, 9])
})

test('a component that is instantiated twice counts twice', async () => {
  const inner = `(component $c ${core('a', '2')} ${instance('a')})`
  expect(await grown(`${inner} (instance (instantiate $c)) (instance (instantiate $c))`)).toEqual([
    8,
  ])
  await expect(
    prepared(`${inner} (instance (instantiate $c)) (instance (instantiate $c))`, 3 * 65_536),
  ).rejects.toThrow('to start')
})

test('what is handed around as a module cannot be counted and is refused', async () => {
  const hiding = `(component $c ${core('a', '2')} (export "m" (core module $a)))
    (instance $i (instantiate $c)) (alias export $i "m" (core module $m))
    (core instance (instantiate $m))`
  await expect(prepared(hiding)).rejects.toThrow('hands a core module around')
})

test.each([
  ['wasi:keyvalue/atomics@0.2.0-draft2', /wasi:keyvalue\/atomics@0\.2\.0-draft2, which/],
  ['wasi:http/types@0.3.0', /wasi:http\/types@0\.3\.0/],
  ['wasi:io/streams', /wasi:io\/streams, which/],
  ['fermyon:spin/sqlite@2.0.0', /fermyon:spin\/sqlite@2\.0\.0/],
  ['fermyon:spin/key-value', /fermyon:spin\/key-value, which/],
])('an import of %s is refused by name', async (name, message) => {
  await expect(prepared(`(import "${name}" (instance))`)).rejects.toThrow(message)
})

test('a function that is imported by itself is refused by name', async () => {
  await expect(prepared('(import "now" (func))')).rejects.toThrow('imports now, which')
})

test('a component without a handler is refused', async () => {
  const read = readComponent(await parse('(component)'))
  await expect(
    prepareGeneric({ component: read, memoryLimit: MEBIBYTE, reason: '' }),
  ).rejects.toThrow('does not export wasi:http/incoming-handler')
})

test.each([
  [
    'asynchronous functions',
    '(core func $f (canon task.cancel))',
    /asynchronous component model \(WASI 0\.3\)/,
  ],
  [
    'UTF-16',
    `(core module $m (memory (export "m") 1)) (core instance $i (instantiate $m))
     (import "wasi:cli/exit@0.2.0" (instance $e (export "exit" (func (param "s" string)))))
     (core func (canon lower (func $e "exit") string-encoding=utf16 (memory (core memory $i "m"))))`,
    /another encoding than UTF-8/,
  ],
])('a component that uses %s is refused with the reason', async (_, parts, message) => {
  await expect(prepared(parts)).rejects.toThrow(message)
})

test('the interfaces that are said to be offered are those that are', () => {
  const guest = new Guest({ environment: {} } as ComponentServices)
  const have = Object.keys(offered(guest, preview1(guest)))
  expect(have.filter((name) => name !== 'wasi_snapshot_preview1').sort()).toEqual(
    [...OFFERED_INTERFACES].sort(),
  )
  expect(isOffered('wasi:http/types@0.2.0')).toBe(true)
  expect(isOffered('wasi:http/types@0.2.12')).toBe(true)
})
