import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { circularUses } from './circular-imports.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-circular-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0

/** The first line of each finding, without the folder; and whether Node takes the same modules. */
async function judge(files: Record<string, string>) {
  const own = join(folder, String(count++))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, path)), { recursive: true })
    writeFileSync(join(own, path), text)
  }
  const entry = join(own, 'main.ts')
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
  })
  const [start = ''] = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  const found = await circularUses(metafile, start, (file) => !file.includes('library'))
  // In a process of its own: the test runner evaluates modules in its own way.
  const { status, stderr } = spawnSync(process.execPath, [entry], { encoding: 'utf8' })
  const node = status === 0 ? 'runs' : (/^(\w*Error)\b/m.exec(stderr)?.[1] ?? stderr)
  return { found, node }
}

const MAIN = "import { twice } from './twice.ts'\nexport const base = 21\nexport { twice }\n"

it.each([
  ['a constant', "import { base } from './main.ts'\nexport const twice = base * 2\n", '2:22'],
  [
    'a constant of a namespace',
    "import * as main from './main.ts'\nexport const twice = main.base * 2\n",
    '2:22',
  ],
  [
    'a function that is called at once',
    "import { base } from './main.ts'\nexport const twice = (() => base * 2)()\n",
    '2:29',
  ],
  [
    'a value with a type',
    "import { base } from './main.ts'\nexport const twice = (base as number) * 2\n",
    '2:23',
  ],
])('%s that is read too early is found where Node throws', async (_, twice, place) => {
  const { found, node } = await judge({ 'main.ts': MAIN, 'twice.ts': twice })
  expect(node).toBe('ReferenceError')
  expect(found).toEqual([expect.stringContaining(`twice.ts:${place}: "base" has no value yet`)])
})

it('through a file that passes names on, too', async () => {
  const { found, node } = await judge({
    'main.ts': MAIN,
    'index.ts': "export * from './main.ts'\n",
    'twice.ts': "import { base } from './index.ts'\nexport const twice = base * 2\n",
  })
  expect(node).toBe('ReferenceError')
  expect(found).toHaveLength(1)
})

it.each([
  ['a function, which is there from the start', 'export function base() { return 21 }', 'base()'],
  ['what is read in a function', 'export const base = 21', '() => base'],
  ['what is a type only', 'export type base = number', '(1 as base)'],
  ['a name of its own', 'export const base = 21', '{ base: 1 }.base'],
])('%s is not found, and Node runs it', async (_, declared, used) => {
  const { found, node } = await judge({
    'main.ts': `import { twice } from './twice.ts'\n${declared}\nexport { twice }\n`,
    'twice.ts': `import ${declared.includes('type') ? 'type ' : ''}{ base } from './main.ts'\nexport const twice = ${used}\n`,
  })
  expect({ node, found }).toEqual({ node: 'runs', found: [] })
})

it('a library is its own matter', async () => {
  const { found } = await judge({
    'main.ts': "import { b } from './library/a.ts'\nexport { b }\n",
    'library/a.ts': "import { b } from './b.ts'\nexport const a = 1\nexport { b }\n",
    'library/b.ts': "import { a } from './a.ts'\nexport const b = a\n",
  })
  expect(found).toEqual([])
})
