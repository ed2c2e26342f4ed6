/** What a build says of `Math.random()` in modules of the author and of packages, each built as `ftl build` does. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildComponents } from '../../cli/src/build/index.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-chance-'))
  const lucky = join(folder, 'node_modules/@some/lucky')
  await mkdir(lucky, { recursive: true })
  await writeFile(
    join(lucky, 'package.json'),
    JSON.stringify({ name: '@some/lucky', version: '1.0.0', type: 'module', main: 'index.js' }),
  )
  await writeFile(
    join(lucky, 'index.js'),
    'export const seed = Math.random()\nexport function draw() {\n  return Math.random()\n}\n',
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Builds one component whose module begins with `code`. */
async function build(
  id: string,
  code: string,
): Promise<{ failure: string | undefined; warnings: string[] }> {
  const entry = join(folder, `${id}.ts`)
  await writeFile(entry, `${code}\nexport default { fetch: () => new Response('') }\n`)
  const warnings: string[] = []
  const failure = await buildComponents([{ id, entry, output: join(folder, `${id}.wasm`) }], {
    cacheFolder: join(folder, 'cache'),
    onEvent: ({ warning }) => warning !== undefined && warnings.push(warning),
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { failure, warnings }
}

it('a package that calls it when it is loaded is named in one warning', async () => {
  const { failure, warnings } = await build(
    'loads',
    "import { seed } from '@some/lucky'\nexport const kept = String(seed)",
  )
  expect(failure).toBeUndefined()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('"@some/lucky" calls Math.random()')
})

it('a call that the author makes through a package is an error at its line', async () => {
  const { failure } = await build(
    'draws',
    "import { draw } from '@some/lucky'\nconst id = draw()\nconsole.log(String(id))",
  )
  expect(failure).toMatch(/draws\.ts:2:\d+: random\(\) at module scope/)
})

it('what a module prints is a warning, and is not mistaken for a call', async () => {
  const lines = ['{"random":"bundle.js:1:1"}x', '{"random":{}}', '{"random":', '\u001b[31mred']
  const { failure, warnings } = await build(
    'prints',
    [...lines, 'five', 'six']
      .map((line) => `console.error(${JSON.stringify(line)})`)
      .concat("console.log('logged')")
      .join('\n'),
  )
  expect(failure).toBeUndefined()
  expect(warnings).toEqual([
    [
      'prints while it is built, and not in a call:',
      ...['logged', '{"random":"bundle.js:1:1"}x', '{"random":{}}', '{"random":', '\\x1b[31mred'],
      '… and more',
    ].join('\n    '),
  ])
})

it('memory that a module takes without end is an error at its line', async () => {
  const { failure } = await build(
    'takes',
    'const all: Uint8Array[] = []\nfor (;;) all.push(new Uint8Array(2 ** 24))',
  )
  expect(failure).toMatch(/takes\.ts:2:\d+: out of memory\. Hold less at module scope/)
})
