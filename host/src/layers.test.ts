import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

/** The folders that each folder of the host imports; `.` is a file beside them. Some import each other: add no more. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  files: ['manifest'],
  generic: ['instance', 'prepare'],
  http: [],
  instance: ['files', 'http', 'kv', 'prepare', 'telemetry', 'variables'],
  kv: ['manifest'],
  manifest: ['kv', 'outbound', 'routes', 'variables'],
  outbound: ['http', 'instance', 'routes'],
  pool: ['http', 'instance', 'manifest', 'outbound', 'telemetry', 'wire', 'worker'],
  prepare: ['.', 'generic', 'instance', 'manifest', 'runtime-config'],
  process: [
    '.',
    'kv',
    'manifest',
    'pool',
    'prepare',
    'runtime-config',
    'server',
    'telemetry',
    'variables',
  ],
  routes: ['http', 'manifest'],
  'runtime-config': ['kv', 'manifest', 'variables'],
  server: ['.', 'http', 'instance', 'manifest', 'outbound', 'routes', 'telemetry'],
  telemetry: ['http', 'instance', 'kv', 'variables'],
  variables: ['manifest'],
  wire: ['http', 'instance', 'telemetry'],
  worker: [
    'files',
    'generic',
    'http',
    'instance',
    'kv',
    'manifest',
    'outbound',
    'prepare',
    'telemetry',
    'variables',
    'wire',
  ],
}

const root = import.meta.dirname

const folderOf = (file: string): string => {
  const parts = relative(root, file).split(sep)
  return parts.length > 1 ? (parts[0] ?? '.') : '.'
}

/** Arrows between folders, as `from -> to`. */
function arrows(): Set<string> {
  const found = new Set<string>()
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = resolve(root, name)
    const from = folderOf(file)
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || from === '.') continue
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const to = folderOf(resolve(dirname(file), path))
      if (to !== from) found.add(`${from} -> ${to}`)
    }
  }
  return found
}

test('a folder of the host imports no folder that is not listed for it', () => {
  const allowed = Object.entries(MAY_IMPORT).flatMap(([from, to]) =>
    to.map((each) => `${from} -> ${each}`),
  )
  expect([...arrows()].sort()).toEqual(allowed.sort())
})

test('the vocabulary of HTTP imports no other folder', () => {
  expect([...arrows()].filter((arrow) => arrow.startsWith('http -> '))).toEqual([])
})
