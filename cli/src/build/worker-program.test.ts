import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { workerProgram } from './worker-program.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-worker-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('imports its own files and Node alone, and the client of Redis when that is used', async () => {
  const made = dirname((await workerProgram(folder)) ?? '')
  const names = await readdir(made)
  expect(names).toContain('entry.mjs')
  const codes = await Promise.all(names.map((name) => readFile(join(made, name), 'utf8')))
  const imported = codes.flatMap((code) => [
    ...code.matchAll(/^(?:import|\} from) .*?"([^"]+)";$/gm),
  ])
  const others = imported
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:') && !names.includes(basename(name)))
  expect(imported.length).toBeGreaterThan(10)
  expect(others).toEqual([])
  const later = codes.flatMap((code) => [...code.matchAll(/import\("([^"]+)"\)/g)])
  expect(later.map(([, name = '']) => name).filter((name) => !name.startsWith('./'))).toEqual([
    '@redis/client',
  ])
  // It would load Node's fetch into each thread (`host/src/http/node-http.ts`).
  expect(codes.join()).not.toMatch(/from "node:https?"/)
})

it('is kept, and removed after a month in which another one is used', async () => {
  const path = (await workerProgram(folder)) ?? ''
  const made = dirname(path)
  const others = ['old', 'recent'].map((name) => join(folder, 'worker', name))
  for (const other of others) await mkdir(other)
  const now = Date.now() / 1000
  for (const old of [others[0] ?? '', made]) await utimes(old, now, now - 31 * 24 * 60 * 60)
  expect(await workerProgram(folder)).toBe(path)
  expect(await readdir(join(folder, 'worker'))).toHaveLength(3)
  await rm(made, { recursive: true })
  expect(await workerProgram(folder)).toBe(path)
  expect((await readdir(join(folder, 'worker'))).sort()).toEqual([basename(made), 'recent'].sort())
})

it('is not used where it cannot be written', async () => {
  await writeFile(join(folder, 'worker'), 'a file in its place')
  expect(await workerProgram(folder)).toBeUndefined()
})

it('is the same for commands that make it at the same time', async () => {
  const paths = await Promise.all(Array.from({ length: 12 }, () => workerProgram(folder)))
  expect(new Set(paths).size).toBe(1)
  expect(await readdir(join(folder, 'worker'))).toHaveLength(1)
})
