// How much the SDK, and all the builder adds, weighs beside the author's own code.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../cli/src/build/bundle.ts'

const LIMIT = 52.8 * 1024
const ONE_TOOL = `import { createTool } from 'ftl-sdk'
export const tool = createTool({
  metadata: {
    name: 'greet',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  handler: async ({ name }) => \`Hello, \${name}!\`,
})
`

// Inside the repository, where the packages are found.
const here = fileURLToPath(new URL('.', import.meta.url))
let folder = ''
beforeAll(async () => (folder = await mkdtemp(join(here, 'sdk', 'size-'))))
afterAll(() => rm(folder, { recursive: true }))

async function added(source: string): Promise<number> {
  const entry = join(folder, 'main.ts')
  await writeFile(entry, source)
  const { code } = await bundle({ id: 'greet', entry })
  const own = await transform(source, { loader: 'ts', minify: true })
  return Buffer.byteLength(code) - Buffer.byteLength(own.code)
}

it('adds at most 52.8 KB to a component of one tool', async () => {
  expect(await added(ONE_TOOL)).toBeLessThanOrEqual(LIMIT)
})

it('leaves no part of the SDK out, so the name of a part may be computed', async () => {
  const entry = join(folder, 'computed.ts')
  const handler = "(_, context) => typeof context[['k', 'v'].join('') as 'kv'].get"
  await writeFile(entry, ONE_TOOL.replace('async ({ name }) => `Hello, ${name}!`', handler))
  const { code } = await bundle({ id: 'computed', entry })
  expect(code).toContain('openKeyValue')
})

it('brings no Zod of its own beside the one of the author', async () => {
  const { inputs } = await bundle({ id: 'zod3', entry: join(here, '../fixtures/app/contents.ts') })
  expect(inputs.filter((path) => path.includes('zod-to-json-schema/'))).toEqual([])
})
