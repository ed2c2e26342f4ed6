// A component file is validated before anything of it is interpreted, and uses no feature that toolchains do not emit.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeU32 } from '../../host/src/wasm/binary.ts'
import { MAX_COMPONENT_BYTES, validate } from '../../host/src/prepare/validate.ts'
import { startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { component, coreModule, section } from './support/component-bytes.ts'
import { guestThat, wat } from './support/wat.ts'

/** Starts a host with the component. @returns why it is refused. */
async function refusal(wasm: Uint8Array): Promise<string> {
  const error: unknown = await startHostile({ file: { wasm } }).then(
    async (host) => host.close(),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('nothing refused it')
  expect(error.name).toBe('PrepareError')
  return error.message.replace(/^.*\.wasm /, '')
}

const HANDLER = `(instance $handler)
  (export "wasi:http/incoming-handler@0.2.6" (instance $handler))`

test.each([
  [
    'an alias of what is not exported',
    '(core module $m) (core instance $i (instantiate $m)) (alias core export $i "constructor" (core func))',
    'has no export named `constructor`',
  ],
  [
    'a function that is lifted as another type',
    `(core module $m (func (export "f") (param i32))) (core instance $i (instantiate $m))
     (func (canon lift (core func $i "f")))`,
    'do not match parameter types',
  ],
  [
    'a host function that is imported as another type',
    `(import "wasi:clocks/wall-clock@0.2.6" (instance $c (export "f" (func (param "a" u32)))))
     (core func $f (canon lower (func $c "f"))) (core instance $e (export "f" (func $f)))
     (core module $m (import "e" "f" (func (param externref))))
     (core instance (instantiate $m (with "e" (instance $e))))`,
    'type mismatch for export `f`',
  ],
  ['a module that is not there', '(core instance (instantiate 7))', 'unknown module 7'],
  ['an alias of the outside', '(component (alias outer 5 3 (type)))', 'invalid outer alias'],
])('a component with %s is refused', async (_, parts, message) => {
  const reason = await refusal(await wat(`(component ${parts} ${HANDLER})`))
  expect(reason).toMatch(/^is not a valid component: /)
  expect(reason).toContain(message)
})

/** A component around one core module. */
const around = async (module: string) => component(coreModule(await wat(`(module ${module})`)))

test.each([
  ['(type (struct (field i32)))', 'types of the garbage collector'],
  ['(type (array i32))', 'types of the garbage collector'],
  ['(rec (type (func)))', 'types of the garbage collector'],
  ['(func (drop (ref.i31 (i32.const 1))))', 'types of the garbage collector'],
  ['(func (local anyref))', 'types of the garbage collector'],
  ['(tag (param i32))', 'exceptions'],
  ['(func (try_table))', 'exceptions'],
  ['(func (local externref))', 'references to host values'],
  ['(import "a" "b" (global externref))', 'references to host values'],
  ['(table 1 externref)', 'references to host values'],
  ['(memory i64 1)', '64-bit memories'],
  ['(table i64 1 funcref)', '64-bit tables'],
  ['(memory 1 1 shared)', 'threads'],
  ['(memory 1) (func (drop (i32.atomic.load (i32.const 0))))', 'threads'],
  ['(memory 1) (memory 1)', 'several memories'],
  ['(type $t (func)) (func (local (ref null $t)))', 'typed function references'],
  [
    '(type $t (func)) (func (param (ref $t)) (call_ref $t (local.get 0)))',
    'typed function references',
  ],
  ['(func $f (return_call $f))', 'tail calls'],
  [
    '(func (drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0))))',
    'the instruction',
  ],
  ['(func (export "f") (param funcref))', 'exports "f" with references'],
  ['(global (export "g") funcref (ref.null func))', 'exports "g" with references'],
])('a core module with %s is refused by the name of the feature', async (module, feature) => {
  expect(await refusal(await around(module))).toContain(feature)
})

attack('a WasmGC loop that cannot be stopped', async () =>
  refusal(
    await around(`(type $a (array (mut anyref)))
      (func (loop (drop (array.new_default $a (i32.const 1000000))) (br 0)))`),
  ),
)

attack('a component that is nested deeper than a stack', async () => {
  let file = component()
  for (let depth = 0; depth < 500; depth++) file = component(section(4, ...file))
  return refusal(file)
})

attack('types that double their size 60 times', async () => {
  const types = Array.from(
    { length: 60 },
    (_, i) => `(type (tuple ${i ? i - 1 : 'u8'} ${i ? i - 1 : 'u8'}))`,
  )
  return refusal(await wat(`(component ${types.join('\n')} ${HANDLER})`))
})

attack('instances that double their number 40 times', async () => {
  let text = '(component $c0 (core module $m) (core instance (instantiate $m)))'
  for (let i = 1; i <= 40; i++) {
    text = `(component $c${i} ${text} (instance (instantiate $c${i - 1})) (instance (instantiate $c${i - 1})))`
  }
  return refusal(await wat(`(component ${text} (instance (instantiate $c40)) ${HANDLER})`))
})

attack('a list of four billion items in ten bytes', async () =>
  refusal(component([3, ...encodeU32(5), ...encodeU32(2 ** 32 - 1)])),
)

attack('a file that is larger than any component', async () =>
  validate(new Uint8Array(MAX_COMPONENT_BYTES + 1)).then(
    () => Promise.reject(new Error('nothing refused it')),
    (error: Error) => error.message,
  ),
)

attack('a file that takes the validator too long, and then a good one', async () => {
  const good = await guestThat('')
  const late = await validate(good, { timeoutMs: 1 }).catch((error: Error) => error.message)
  await validate(good)
  expect(late).toMatch(/^cannot be validated: it took more than/)
  return late as string
})

test('names out of a file do not reach a terminal as they are', async () => {
  const reason = await refusal(
    await wat(`(component (core module $m) (core instance $i (instantiate $m))
      (alias core export $i "\\1b]0;title\\07\\nline" (core func)))`),
  )
  expect(reason).not.toMatch(/[\u0000-\u001f\u007f]/)
  expect(reason).toContain('?]0;title?')
})

let cacheDir: string
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'ftl-validated-'))
})
afterAll(() => rm(cacheDir, { recursive: true }))

test('a refused file leaves nothing in the cache, and an accepted one is validated once', async () => {
  const wasm = await wat(`(component (core instance (instantiate 7)) ${HANDLER})`)
  await writeFile(join(cacheDir, 'other'), '')
  await expect(startHostile({ file: { wasm } }, { cacheDir })).rejects.toThrow('not a valid')
  expect(await readdir(cacheDir)).toEqual(['other'])
  const host = await startHostile({ file: { wasm: await guestThat('') } }, { cacheDir })
  await host.close()
  const prepared = (await readdir(cacheDir)).filter((name) => /^host-.*\.wasm$/.test(name))
  expect(prepared).toHaveLength(1)
})
