import { build } from 'esbuild'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownFiles } from './importable-files.ts'

let folder: string
let tool: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'ftl-own-')))
  await mkdir(join(folder, 'node_modules/gateway'), { recursive: true })
  tool = join(folder, 'tool.ts')
  await writeFile(tool, 'export const tool = 42')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Bundles the entry that the builder writes beside the first component, here an installed package. */
const bundled = (entries: readonly string[]) =>
  build({
    stdin: {
      contents: `export { tool } from ${JSON.stringify(tool)}`,
      resolveDir: join(folder, 'node_modules/gateway'),
      sourcefile: 'gateway.entry.js',
    },
    bundle: true,
    write: false,
    logLevel: 'silent',
    plugins: [ownFiles(entries)],
  })

it('of components that are built together, brings the author’s beside an installed one', async () => {
  expect((await bundled([tool])).outputFiles).toHaveLength(1)
})

it('refuses another file outside of the package', async () => {
  await expect(bundled([`${tool}x`])).rejects.toThrow('is outside of the package')
})
