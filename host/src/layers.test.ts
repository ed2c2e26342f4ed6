// The design of ARCHITECTURE.md, "The embedded host", as rules about which folder imports which.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

/** Folders that run in the host's main thread, or start the process that has it. */
const MAIN_THREAD = ['pool', 'server', 'process', 'prepare']

/** Folders that run guests, or do for a guest what it asks the host for. */
const GUEST_SIDE = ['instance', 'generic', 'native', 'files', 'outbound']

/** Folders that define terms and formats; all others may use them. */
const VOCABULARY = [
  ...['http', 'wasm', 'manifest', 'wire', 'variables', 'kv', 'routes', 'telemetry', 'requests'],
  ...['limits', 'audit', 'activity', 'platforms'],
]

/** The entries of the host: `host.ts`, `host-options.ts` and `index.ts`. */
const ENTRIES = '.'

interface Import {
  from: string
  to: string
  /** `importing file -> imported file`. */
  text: string
}

const root = import.meta.dirname

function folderOf(file: string): string {
  const [folder, ...rest] = relative(root, file).split(sep)
  return rest.length > 0 ? (folder ?? ENTRIES) : ENTRIES
}

/** Imports from one folder of the host into another, types and dynamic imports included; those of tests are not. */
function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(/(?:\bfrom|\bimport\(|\bnew URL\(|^\s*import)\s*'(\.[^']+\.ts)'/gm)]
    .map(([, path = '']) => resolve(dirname(file), path))
    .map((imported) => ({
      from: folderOf(file),
      to: folderOf(imported),
      text: `${relative(root, file)} -> ${relative(root, imported)}`,
    }))
    .filter(({ from, to }) => from !== to)
}

const imports = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => resolve(root, name))
  .flatMap((file) => importsOf(file, readFileSync(file, 'utf8')))

/** Imports from one of `from` into one of `to`. */
const between = (from: readonly string[], to: readonly string[]) =>
  imports.filter((each) => from.includes(each.from) && to.includes(each.to)).map(({ text }) => text)

/** Imports of a folder, except those from `except`. */
const outOf = (from: string, except: readonly string[] = []) =>
  imports.filter((each) => each.from === from && !except.includes(each.to)).map(({ text }) => text)

test('imports are found: static, dynamic, of types, and of the entry of a thread', () => {
  const source = `
    import { a } from '../http/a.ts'
    import type { B } from '../kv/b.ts'
    export { c } from './c.ts'
    import '../wire/d.ts'
    const e = await import('../telemetry/e.ts')
    const f = new URL('../worker/f.ts', import.meta.url)`
  const found = importsOf(resolve(root, 'pool/x.ts'), source)
  expect(found.map(({ to }) => to)).toEqual(['http', 'kv', 'wire', 'telemetry', 'worker'])
  expect(imports.length).toBeGreaterThan(100)
})

test('the rules know every folder', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((each) => each.isDirectory())
  const known = [...MAIN_THREAD, ...GUEST_SIDE, ...VOCABULARY, 'worker', 'runtime-config']
  expect(folders.map(({ name }) => name).sort()).toEqual(known.sort())
})

test('folders do not import each other in a circle', () => {
  const needs = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    // `index.ts` exports what others use, also of the process that uses `host.ts`.
    if (from !== ENTRIES) needs.set(from, (needs.get(from) ?? new Set()).add(to))
  }
  // Folders that import nothing that is left are taken away, until none is left or the rest is circular.
  for (;;) {
    const free = [...needs].filter(([, to]) => ![...to].some((each) => needs.has(each)))
    if (free.length === 0) break
    for (const [folder] of free) needs.delete(folder)
  }
  const circular = [...needs.keys()]
  expect(between(circular, circular)).toEqual([])
})

test('HTTP and the format of core modules import nothing of the host; the manifest only HTTP', () => {
  expect(outOf('http')).toEqual([])
  expect(outOf('wasm')).toEqual([])
  expect(outOf('manifest', ['http'])).toEqual([])
})

test('vocabulary does not import what uses it: guests, threads, the server or the process', () => {
  expect(between(VOCABULARY, [...GUEST_SIDE, ...MAIN_THREAD, 'worker', 'runtime-config'])).toEqual(
    [],
  )
})

test('the guest side never imports the main thread, nor the worker that loads it', () => {
  expect(between([...GUEST_SIDE, 'worker'], MAIN_THREAD)).toEqual([])
  expect(between(GUEST_SIDE, ['worker', 'runtime-config'])).toEqual([])
})

test('the main thread runs no guest: only preparation imports the guest side', () => {
  expect(between(['pool', 'server', 'process', 'routes', 'runtime-config'], GUEST_SIDE)).toEqual([])
})

test('HTTP between clients and the host does not depend on threads', () => {
  expect(between(['server'], ['pool', 'wire', 'worker', 'process', 'prepare'])).toEqual([])
})

test('the fast way and the network do not depend on the linker', () => {
  expect(between(['instance', 'outbound', 'files'], ['generic'])).toEqual([])
})

test('only the process that runs the host imports its entries', () => {
  const importers = imports.filter(({ to }) => to === ENTRIES).map(({ from }) => from)
  expect(new Set(importers)).toEqual(new Set(['process']))
})
