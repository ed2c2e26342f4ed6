// What the compiler says of mistakes in a tool, before anything is built.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const tool = (metadata: string, rest: string) =>
  `import { createTool } from 'ftl-sdk'\n\nexport const tool = createTool({\n  metadata: { ${metadata} },\n  ${rest},\n})\n`
const NAMED = `name: 'a', inputSchema: { type: 'object', properties: { name: { type: 'string' } } }`

const MISTAKES: [title: string, source: string, place: string, ...words: string[]][] = [
  [
    '[author:misspelt-metadata]',
    tool("nam: 'a'", "handler: () => 'x'"),
    '4,15',
    "'nam'",
    "Did you mean to write 'name'?",
  ],
  [
    '[author:missing-handler]',
    "import { createTool } from 'ftl-sdk'\n\nexport const tool = createTool({ metadata: { name: 'a' } })\n",
    '3,32',
    "Property 'handler' is missing",
  ],
  [
    '[author:misspelt-argument]',
    tool(NAMED, 'handler: ({ nmae }) => nmae'),
    '5,15',
    "'nmae' does not exist",
    'name?: string',
  ],
  [
    '[author:returns-number]',
    tool(NAMED, 'handler: () => 42'),
    '5,3',
    "'number' is not assignable",
    'HandlerAnswer',
  ],
  [
    '[author:breaks-promised-type]',
    tool(
      "name: 'a', outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }",
      "handler: () => ({ sum: 'many' })",
    ),
    '5,3',
    "'sum' are incompatible",
    "'string' is not assignable to type 'number'",
  ],
  [
    '[author:forgotten-await]',
    tool("name: 'a'", "handler: (_, { kv }) => kv.getText('a').trim()"),
    '5,43',
    "'trim' does not exist on type 'Promise<",
  ],
]

const idOf = (title: string) => title.slice('[author:'.length, -1)
let workshop: Workshop
let output = ''

beforeAll(async () => {
  workshop = await openWorkshop({
    'tsconfig.json': JSON.stringify({
      extends: '../../tsconfig.json',
      include: ['src'],
      exclude: [],
    }),
    ...Object.fromEntries(MISTAKES.map(([title, source]) => [`src/${idOf(title)}.ts`, source])),
  })
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  output = await new Promise((resolve) => {
    const options = { cwd: workshop.folder }
    execFile(process.execPath, [tsc, '--noEmit', '-p', '.'], options, (_, printed) =>
      resolve(printed),
    )
  })
})
afterAll(() => workshop.close())

it.each(MISTAKES)('%s', (title, _, place, ...words) => {
  const path = `src/${idOf(title)}.ts(`
  const said = output.split(/^(?=\S)/m).filter((part) => part.startsWith(path))
  expect(said, output).toHaveLength(1)
  expect(said[0]).toContain(`${path}${place}): error`)
  for (const each of words) expect(said[0]).toContain(each)
})
