// A component file decides what is linked to what, and under which names. None of it may reach the host's own objects.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CoreShape } from '../../host/src/wasm/check-module.ts'
import { startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import * as bytes from './support/component-bytes.ts'
import { instantiateComponent, linkUnchecked } from './support/run-component.ts'
import { wat } from './support/wat.ts'

const { alias, CORE, coreModule, component, emptyHandler, group, instantiate } = bytes

/** What makes the host refuse the file, in its own words. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('nothing refused it')
  expect(['Trap', 'BinaryError', 'PrepareError', 'LinkError']).toContain(error.name)
  return error.message.replace(/.*\.wasm /, '')
}

const CANARY = join(tmpdir(), `ftl-escaped-${process.pid}`)
const PROGRAM = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(CANARY)}, '')`

/** Calls `Object.groupBy(names, Function(names))` when it starts; `names` are those of an object with one key. */
const ESCAPE = `(module
  (import "e" "names" (func $names (param externref) (result externref)))
  (import "e" "group" (func $group (param externref externref) (result externref)))
  (import "e" "function" (func $function (param externref) (result externref)))
  (import "e" "code" (global $code externref))
  (func $start
    (drop (call $group (call $names (global.get $code))
      (call $function (call $names (global.get $code))))))
  (start $start))`

/** The chain of aliases from a group of exports to \`Function\`. */
async function escaping(): Promise<Uint8Array> {
  return component(
    coreModule(await wat('(module (func (export "f")))')),
    coreModule(await wat(ESCAPE)),
    instantiate(0), // core instance 0
    alias(CORE.function, 0, 'f'), // core function 0
    group([PROGRAM, CORE.function, 0]), // core instance 1: its one name is the program
    alias(CORE.instance, 1, 'constructor'), // core instance 2: Object
    alias(CORE.function, 2, 'constructor'), // core function 1: Function
    alias(CORE.function, 2, 'groupBy'),
    alias(CORE.function, 2, 'getOwnPropertyNames'),
    group(['c', CORE.instance, 1]), // core instance 3
    alias(CORE.global, 3, 'c'), // core global 0: the object with the program as its name
    group(
      ['names', CORE.function, 3],
      ['group', CORE.function, 2],
      ['function', CORE.function, 1],
      ['code', CORE.global, 0],
    ), // core instance 4
    instantiate(1, { e: 4 }),
    emptyHandler(),
  )
}

attack('a component reaches Function and runs its own code on the host', async () => {
  await rm(CANARY, { force: true })
  const message = await refusal(
    startHostile({ escape: { wasm: await escaping() } }).then((host) => host.close()),
  )
  expect(existsSync(CANARY)).toBe(false)
  return message
})

attack('the same without any check before the linker', async () => {
  await rm(CANARY, { force: true })
  const nothing: CoreShape = { imports: [], exports: [], functions: 1 }
  const shapes = [
    { ...nothing, exports: [{ name: 'f', kind: 'function' as const, signature: ':' }] },
    nothing,
  ]
  const message = await refusal(linkUnchecked(await escaping(), shapes))
  expect(message).toContain('constructor')
  expect(existsSync(CANARY)).toBe(false)
  return message
})

const NAMES = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

/** A component that takes `name` out of the core instance that `instance` describes. */
const aliased = (instance: string, name: string) =>
  wat(`(component
    (core module $m (func (export "f")) (memory (export "memory") 1))
    ${instance}
    (alias core export $e "${name}" (core func $taken))
    (instance $handler)
    (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`)

test.each(NAMES)('%s is not an export of a group of exports', async (name) => {
  const instance = `(core instance $i (instantiate $m))
    (core instance $e (export "f" (func $i "f")))`
  await expect(instantiateComponent(await aliased(instance, name))).rejects.toThrow(
    `there is no core function "${name}"`,
  )
})

test.each(NAMES)('%s is not an export of a core module', async (name) => {
  const instance = '(core instance $e (instantiate $m))'
  await expect(instantiateComponent(await aliased(instance, name))).rejects.toThrow(
    `there is no core function "${name}"`,
  )
})

attack('a memory is taken for a function', async () =>
  refusal(instantiateComponent(await aliased('(core instance $e (instantiate $m))', 'memory'))),
)

test.each(NAMES)('%s of a group is not imported by a core module', async (name) => {
  const wasm = await wat(`(component
    (core module $m (func (export "f")))
    (core module $n (import "e" "${name}" (func)))
    (core instance $i (instantiate $m))
    (core instance $e (export "f" (func $i "f")))
    (core instance (instantiate $n (with "e" (instance $e))))
    (instance $handler)
    (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`)
  await expect(instantiateComponent(wasm)).rejects.toThrow(`there is no core function "${name}"`)
})

test.each(NAMES)('%s as the module of an import is a name like any other', async (name) => {
  const of = (args: string) =>
    wat(`(component
      (core module $m (func (export "f")))
      (core module $n (import "${name}" "f" (func)))
      (core instance $i (instantiate $m))
      (core instance (instantiate $n ${args}))
      (instance $handler)
      (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`)
  await expect(instantiateComponent(await of(''))).rejects.toThrow(`no instance "${name}"`)
  const given = await of(`(with "${name}" (instance $i))`)
  // Linked, and refused for what it does not have.
  await expect(instantiateComponent(given)).rejects.toThrow('no function "handle"')
})

test.each(NAMES)('%s is not a function of an interface of the host', async (name) => {
  const wasm = await wat(`(component
    (import "wasi:io/poll@0.2.6" (instance $poll (export "${name}" (func (result u32)))))
    (core func $f (canon lower (func $poll "${name}")))
    (core instance $e (export "f" (func $f)))
    (core module $n (import "e" "f" (func $f (result i32))) (start $s) (func $s (drop (call $f))))
    (core instance (instantiate $n (with "e" (instance $e))))
    (instance $handler)
    (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`)
  await expect(instantiateComponent(wasm)).rejects.toThrow(`does not support wasi:io/poll@0.2.6`)
})

attack('a host function is imported as one of another type', async () => {
  const wasm = await wat(`(component
    (import "wasi:random/random@0.2.6" (instance $r (export "get-random-u64" (func (result f32)))))
    (core func $f (canon lower (func $r "get-random-u64")))
    (core instance $e (export "f" (func $f)))
    (core module $n (import "e" "f" (func (result f32))))
    (core instance (instantiate $n (with "e" (instance $e))))
    (instance $handler)
    (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`)
  return refusal(instantiateComponent(wasm))
})
