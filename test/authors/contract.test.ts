/** Tools without a schema keep the contract, as `ftl test` checks it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkComponent } from 'ftl/contract-test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildComponents } from '../../cli/src/build/index.ts'
import { REPOSITORY } from '../support/command.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(REPOSITORY, '.ftl', 'contract-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['that takes nothing', "metadata: { name: 'a', description: 'A' }"],
  [
    'that takes any object',
    "metadata: { name: 'a', description: 'A', inputSchema: { type: 'object' } }",
  ],
])('a tool %s passes', async (title, metadata) => {
  const id = title.replaceAll(' ', '-')
  const entry = join(folder, `${id}.ts`)
  const output = join(folder, `${id}.wasm`)
  const handler = "async (_, { log, progress }) => { progress(1); log.info('a'); return 'done' }"
  await writeFile(
    entry,
    `import { createTool } from 'ftl-sdk'\nexport const tool = createTool({ ${metadata}, handler: ${handler} })\n`,
  )
  await buildComponents([{ id, entry, output }], { cacheFolder: join(REPOSITORY, '.ftl', 'cache') })
  const { verdicts, passed } = await checkComponent(output)
  expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(passed).toBeGreaterThan(10)
})
