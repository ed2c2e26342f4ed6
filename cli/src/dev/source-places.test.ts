import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { placesOf } from './source-places.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-places-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function bundled() {
  writeFileSync(join(folder, 'library.js'), 'export function twice(n) {\n  return n * 2\n}\n')
  writeFileSync(
    join(folder, 'main.ts'),
    "import { twice } from './library.js'\n\nexport function run(n: number) {\n  if (n > 3) throw new Error('large')\n  return twice(n)\n}\n",
  )
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    sourcemap: 'external',
    outfile: join(folder, 'out.js'),
  })
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const map = text('.map')
  writeFileSync(join(folder, 'out.wasm.map'), map)
  return { code: text('.js'), map: new SourceMap(JSON.parse(map) as never) }
}

interface Places {
  files: string[]
  runs: [number, number, number, number][]
}

it('each column of a bundle has the line that its source map says, and none in a library', async () => {
  const { code, map } = await bundled()
  const output = join(folder, 'out.wasm')
  const text = await placesOf(output, (file) => file.endsWith('main.ts'))
  const { files, runs } = JSON.parse(text ?? '') as Places
  expect(files.map((file) => resolve(file))).toEqual([join(folder, 'main.ts')])
  const lines = code.split('\n')
  let compared = 0
  for (const [row, line] of lines.entries()) {
    for (let column = 0; column < line.length; column++) {
      const entry = map.findEntry(row, column)
      if (!('originalSource' in entry) || entry.generatedLine !== row) continue
      const run = runs.findLast(([at, first]) => at === row + 1 && first <= column + 1)
      const isOurs = entry.originalSource.endsWith('main.ts')
      expect(run?.[2] ?? -1).toBe(isOurs ? 0 : -1)
      if (isOurs) expect(run?.[3]).toBe(entry.originalLine + 1)
      compared++
    }
  }
  expect(compared).toBeGreaterThan(20)
})

it('without a source map there are none', async () => {
  expect(await placesOf(join(folder, 'none.wasm'), () => true)).toBeUndefined()
})
