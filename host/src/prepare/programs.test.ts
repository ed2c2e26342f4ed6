import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Manifest } from '../manifest/manifest.ts'
import { parseManifest } from '../manifest/parse.ts'
import { Programs } from './programs.ts'

/** A component with one core module that the fast way does not take. */
const GENERIC = await parse(`(component
  (core module $m (memory (export "memory") 1))
  (core instance (instantiate $m))
  (instance $h)
  (export "wasi:http/incoming-handler@0.2.3" (instance $h)))`)

/** A component that takes the fast way. */
const FAST = await parse(`(component (core module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0))
  (func (export "wasi:http/incoming-handler@0.2.3#handle") (param i32 i32))))`)

let folder: string
let compiled: Uint8Array[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-programs-'))
  await mkdir(join(folder, 'cache'))
  compiled = []
  const { compile } = WebAssembly
  vi.spyOn(WebAssembly, 'compile').mockImplementation((bytes) => {
    // The tools that are loaded compile large modules of their own.
    if (bytes instanceof Uint8Array && bytes.length < 1000) compiled.push(bytes)
    return compile(bytes)
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

/** An application whose components have these files. */
async function application(
  sources: Readonly<Record<string, string>>,
  wasm = GENERIC,
): Promise<Manifest> {
  for (const name of new Set(Object.values(sources))) await writeFile(join(folder, name), wasm)
  const components = Object.entries(sources).map(
    ([id, source]) =>
      `[[trigger.http]]\nroute = "/${id}"\ncomponent = "${id}"\n[component.${id}]\nsource = "${source}"`,
  )
  const text = `spin_manifest_version = 2\n[application]\nname = "a"\n${components.join('\n')}`
  return parseManifest(text, join(folder, 'spin.toml'))
}

function programs() {
  const reported: string[] = []
  const made = new Programs({
    cacheDir: join(folder, 'cache'),
    memoryLimit: 1024 ** 2,
    onGeneric: ({ component, reason }) => reported.push(`${component}: ${reason}`),
  })
  return { made, reported }
}

test('a generic file that two components use is compiled once, also over reloads, and reported for each', async () => {
  const manifest = await application({ one: 'same.wasm', two: 'same.wasm' })
  const { made, reported } = programs()
  const [one, two] = await made.prepareAll(manifest)
  expect(compiled).toHaveLength(1)
  expect(two?.program).toBe(one?.program)
  const reason = 'none of its core modules exports the handler'
  expect(reported.sort()).toEqual([`one: ${reason}`, `two: ${reason}`])
  await made.prepareAll(manifest)
  expect(compiled).toHaveLength(1)
  expect(reported.length).toBe(2)
})

test('a changed file is compiled again, and only that one', async () => {
  const manifest = await application({ one: 'one.wasm', two: 'two.wasm' })
  const { made, reported } = programs()
  const [, unchanged] = await made.prepareAll(manifest)
  await utimes(join(folder, 'one.wasm'), 1000, 1000)
  const [, again] = await made.prepareAll(manifest)
  expect(compiled).toHaveLength(3)
  expect(again?.program).toBe(unchanged?.program)
  expect(reported.map((text) => text.slice(0, 3)).sort()).toEqual(['one', 'one', 'two'])
})

test('a component added at a reload is reported, though its file is known', async () => {
  const { made, reported } = programs()
  await made.prepareAll(await application({ one: 'same.wasm' }))
  const both = await application({ one: 'same.wasm', two: 'same.wasm' })
  await utimes(join(folder, 'same.wasm'), 1000, 1000)
  await made.prepareAll(both)
  await made.prepareAll(both)
  expect(reported.map((text) => text.slice(0, 3)).sort()).toEqual(['one', 'one', 'two'])
})

test('a file that cannot be served fails for each of its components, and once it is mended it is served', async () => {
  const manifest = await application({ one: 'same.wasm', two: 'same.wasm' })
  await writeFile(join(folder, 'same.wasm'), 'no component')
  const { made } = programs()
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  await expect(made.prepareAll(manifest)).rejects.toThrow('component "one"')
  await writeFile(join(folder, 'same.wasm'), GENERIC)
  expect(await made.prepareAll(manifest)).toHaveLength(2)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

test.each([
  ['a module', FAST],
  ['a marker', GENERIC],
])('%s of the cache that is used counts as new', async (_, wasm) => {
  const manifest = await application({ one: 'one.wasm' }, wasm)
  await programs().made.prepareAll(manifest)
  const [entry = ''] = await readdir(join(folder, 'cache'))
  const path = join(folder, 'cache', entry)
  await utimes(path, 1000, 1000)
  await programs().made.prepareAll(manifest)
  expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
})
