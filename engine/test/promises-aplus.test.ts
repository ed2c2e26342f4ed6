import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeFile } from '../../test/judges/judge.ts'
import { type Served, serveEvaluator } from '../wpt/serve.ts'

const here = join(import.meta.dirname, 'promises')
let served: Served
let script: string

beforeAll(async () => {
  const bundled = build({
    entryPoints: [join(here, 'main.cjs')],
    bundle: true,
    // A module would be strict code, and some of the tests must not be.
    format: 'iife',
    tsconfigRaw: {},
    define: { global: 'globalThis' },
    nodePaths: [judgeFile('')],
    alias: { assert: join(here, 'assert.cjs') },
    write: false,
  })
  served = await serveEvaluator()
  script = (await bundled).outputFiles[0]?.text ?? ''
})
afterAll(() => served?.close())

async function run(isHasty: boolean) {
  const scripts = [`globalThis.isHasty = ${isHasty}`, script, 'globalThis.outcome']
  return (await served.evaluate(scripts)) as { count: number; failures: string[] }
}

test('the promises of the engine pass promises-aplus-tests', async () => {
  expect(await run(false)).toEqual({ count: 872, failures: [] })
})

test('the suite notices promises that call their handlers at once', async () => {
  const { count, failures } = await run(true)
  expect(count).toBe(872)
  expect(failures.join('\n')).toContain('2.2.4')
})
