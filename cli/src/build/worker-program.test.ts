import { chmod, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { workerProgram } from './worker-program.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-worker-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

it('is one file, which imports nothing but Node and the client of Redis, when that is used', async () => {
  const path = (await workerProgram(folder)) ?? ''
  const code = await readFile(path, 'utf8')
  const imported = [...code.matchAll(/^import .*"([^"]+)";$/gm)].map(([, name]) => name)
  expect(imported.length).toBeGreaterThan(10)
  expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
  expect([...code.matchAll(/import\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual([
    '@redis/client',
  ])
  const { begin } = (await import(pathToFileURL(path).href)) as { begin: unknown }
  expect(begin).toBeTypeOf('function')
})

it('is kept, and removed after a month in which another one is used', async () => {
  const path = (await workerProgram(folder)) ?? ''
  const [old, recent] = ['old.mjs', 'recent.mjs'].map((name) => join(folder, 'worker', name))
  for (const other of [old ?? '', recent ?? '']) await writeFile(other, '')
  const now = Date.now() / 1000
  await utimes(old ?? '', now, now - 31 * 24 * 60 * 60)
  await utimes(path, now, now - 31 * 24 * 60 * 60)
  expect(await workerProgram(folder)).toBe(path)
  expect(await readdir(join(folder, 'worker'))).toHaveLength(3)
  await rm(path)
  expect(await workerProgram(folder)).toBe(path)
  expect((await readdir(join(folder, 'worker'))).sort()).toEqual([basename(path), 'recent.mjs'])
})

it('is not used where it cannot be written', async () => {
  await writeFile(join(folder, 'worker'), 'a file in its place')
  expect(await workerProgram(folder)).toBeUndefined()
})
