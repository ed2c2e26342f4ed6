import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { engineHint } from './hints.ts'
import { quickjsBuilder } from './quickjs.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-quickjs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['computes without an end', 'for (;;) {}'],
  ['prints without an end', 'for (;;) console.log("x".repeat(10000))'],
])('ends a module that %s', async (_, code) => {
  const made = { code, map: '', inputs: [], pageInputs: [], entry: '/main.ts', ours: [] }
  const wit = { folder, adapter: '', digest: '' }
  const started = performance.now()
  const builder = quickjsBuilder(500)
  await expect(
    builder.build({ id: 'loop', made, wit, folder, onWarning: () => {} }),
  ).rejects.toThrow('not evaluated after 0.5 s: look for an endless loop')
  expect(performance.now() - started).toBeGreaterThanOrEqual(500)
})

it('says what to do where memory is exhausted', () => {
  expect(engineHint('tool big failed: InternalError: out of memory')).toContain(
    '--max-instance-memory',
  )
})
