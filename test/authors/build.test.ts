// What an author sees when a component with a mistake is built: the place, what is wrong, and what to do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEach, openWorkshop, type Words, type Workshop } from './workshop.ts'

const SDK = "import { createTool, createTools } from 'ftl-sdk'\n"
const ZOD = `${SDK}import * as z from 'zod'\n`
/** With what a tool needs besides its mistake. */
const tool = (metadata: string, rest = "handler: () => 'x'") =>
  `export const tool = createTool({ metadata: { ${metadata} }, ${rest} })\n`
/** With something before it, at module scope. */
const before = (line: string, use: string) => `${SDK}${line}\n${tool("name: 'a'", use)}`

/** Source of the mistake, the place that must be named, and words the error must contain. */
type Mistake = [title: string, source: string, place: string, ...words: string[]]

const FAILURES: Mistake[] = [
  ['[author:tool-name]', SDK + tool("name: 'say hello'"), '2:21', '"say hello"', 'letters, digits'],
  [
    '[author:twin-tools]',
    `${SDK}const one = createTool({ metadata: { name: 'a' }, handler: () => 'x' })
export const tools = createTools([one, one])\n`,
    '3:22',
    'two tools',
    '"a"',
    'rename one',
  ],
  [
    '[author:schema-root]',
    ZOD + tool("name: 'a', inputSchema: z.string() as never"),
    '3:21',
    'tool "a": inputSchema',
    'the root must have "type": "object"',
  ],
  [
    '[author:schema-type]',
    ZOD +
      tool("name: 'a', inputSchema: z.object({ n: z.int(), trip: z.object({ day: z.date() }) })"),
    '3:21',
    'tool "a": inputSchema',
    '"trip.day"',
    'Date',
    'withJsonSchema',
  ],
  [
    '[author:schema-library]',
    `${SDK}import * as v from 'valibot'\n${tool("name: 'a', inputSchema: v.object({ day: v.string() })")}`,
    '3:21',
    'valibot',
    'toJsonSchema of "@valibot/to-json-schema"',
  ],
  [
    '[author:other-shape]',
    `${ZOD}export const tool = createTool({ name: 'a', inputSchema: z.object({}), handler: () => 'x' } as never)\n`,
    '3:21',
    'tool name "undefined"',
    'belong in "metadata"',
    'createTool({ metadata: { name, description, inputSchema }, handler })',
  ],
  [
    '[author:raw-shape]',
    ZOD + tool("name: 'a', inputSchema: { city: z.string() }"),
    '3:21',
    'tool "a": inputSchema',
    'An object of schemas is not a schema: write z.object({ … })',
  ],
  [
    '[author:waits-at-scope]',
    before(
      'const ready = await new Promise((resolve) => setTimeout(() => resolve(1), 10))',
      'handler: () => String(ready)',
    ),
    '2:15',
    'waits for something only a request has',
    'Move it into the handler',
  ],
  ['[author:no-handler]', SDK + tool("name: 'a'", ''), '2:21', 'tool "a"', 'give it a "handler"'],
  [
    '[author:handler-and-job]',
    SDK + tool("name: 'a'", "handler: () => 'x', job: { start: () => '', poll: () => 'lost' }"),
    '2:21',
    'tool "a"',
    '"handler" and a "job": keep one',
  ],
  [
    '[author:misnamed-export]',
    `${SDK}export const greet = createTool({ metadata: { name: 'a' }, handler: () => 'x' })\n`,
    '',
    'greet (a tool)',
    'export { greet as tool }',
  ],
  [
    '[author:default-function]',
    "export default function greet() {\n  return 'Hello'\n}\n",
    '',
    'default (function)',
    'must export "tool"',
  ],
  [
    '[author:no-export]',
    `${SDK}const tool = createTool({ metadata: { name: 'a' }, handler: () => 'x' })\n`,
    '',
    'must export "tool"',
    'exports nothing',
  ],
  [
    '[author:plain-object]',
    "export const tool = { metadata: { name: 'a' }, handler: () => 'x' }\n",
    '',
    '"tool" (of createTool)',
    'It exports tool (object)',
  ],
  ['[author:syntax]', `${SDK}export const tool = createTool({ ]\n`, '2:34', 'found "]"'],
  [
    '[author:misspelt-import]',
    "import { creatTool } from 'ftl-sdk'\nexport const tool = creatTool({})\n",
    '1:10',
    '"creatTool"',
    'Did you mean to import "createTool"',
  ],
  [
    '[author:package-missing]',
    before("import { parse } from '@me/no-such-package/x'", "handler: () => parse('x')"),
    '2:23',
    '"@me/no-such-package/x"',
    'npm install @me/no-such-package',
  ],
  [
    '[author:file-missing]',
    before("import { parse } from './parse'", "handler: () => parse('x')"),
    '2:23',
    '"./parse"',
    'no such file',
    'ending (.ts)',
  ],
  [
    '[author:node-module]',
    before("import { readFileSync } from 'node:fs'", "handler: () => readFileSync('/x', 'utf8')"),
    '2:30',
    '"node:fs"',
    'files = [',
    'context.platform.files.read',
  ],
  [
    '[author:buffer-at-scope]',
    before("const key = Buffer.from('abc')", 'handler: () => String(key)'),
    '2:13',
    'Buffer is not defined',
    'use Uint8Array',
  ],
  [
    '[author:process-at-scope]',
    before("const key = process.env['API_KEY']", 'handler: () => String(key)'),
    '2:13',
    'process is not defined',
    'context.variables.get',
  ],
  [
    '[author:fetch-at-scope]',
    before(
      "const rates = fetch('https://example.com/')",
      'handler: async () => (await rates).text()',
    ),
    '2:15',
    'fetch is only possible in a request',
    'Move it into the handler',
  ],
  [
    '[author:chance-at-scope]',
    before('const id = Math.random()', 'handler: () => String(id)'),
    '2:17',
    'random() at module scope',
    'Move it into the handler',
  ],
  [
    '[author:host-at-scope]',
    `import { get } from 'fermyon:spin/variables@2.0.0'\n${before("const key = get('api_key')", 'handler: () => key')}`,
    '3:13',
    'get of a variable is only possible in a request',
    'Move it into the handler',
  ],
  [
    '[author:throws-at-scope]',
    before("const config = JSON.parse('{')", 'handler: () => config'),
    '2:21',
    'in JSON at position 1',
  ],
]

const WARNINGS: Mistake[] = [
  [
    '[author:clock-at-scope]',
    before(
      'const started = (() => Date.now())()',
      'handler: () => new Date().toISOString() + started',
    ),
    '2:24',
    'Date.now() at module scope is read once',
    'Move it into the handler',
  ],
  [
    '[author:date-at-scope]',
    before('class Era { static began = new Date() }', 'handler: () => String(Era.began)'),
    '2:28',
    'new Date() at module scope is read once',
    'Move it into the handler',
  ],
  [
    '[author:locale]',
    before('', "handler: () => (1234.5).toLocaleString('de')"),
    '3:74',
    'toLocaleString takes "de" as English',
    'Format by hand',
  ],
]

const idOf = (title: string) => title.slice('[author:'.length, -1)
let workshop: Workshop
let words: Words

beforeAll(async () => {
  const all = [...FAILURES, ...WARNINGS]
  workshop = await openWorkshop({
    ...CIRCLE,
    ...Object.fromEntries(all.map(([title, source]) => [`src/${idOf(title)}.ts`, source])),
  })
  const ids = [...all.map(([title]) => idOf(title)), 'circle']
  words = await buildEach(workshop.folder, ids)
})
afterAll(() => workshop.close())

/** In Node this is a ReferenceError; in a bundle it would be NaN. */
const CIRCLE = {
  'src/circle.ts': `${SDK}import { twice } from './parts/twice.ts'
export const base = 21
${tool("name: 'a'", 'handler: () => String(twice)')}`,
  'src/parts/twice.ts': "import { base } from '../circle.ts'\n\nexport const twice = base * 2\n",
}

it('[author:circular-import] names the place that reads too early', () => {
  const [, first = ''] = words['circle']?.failure?.split('\n') ?? []
  expect(first).toMatch(/^src\/parts\/twice\.ts:3:22: "base" has no value yet/)
  expect(first).toContain('Move what both need into a third file')
})

const placed = (title: string, place: string) =>
  `src/${idOf(title)}.ts:${place === '' ? '' : `${place}:`} `

describe('a mistake that ends the build is reported with its place and its remedy:', () => {
  it.each(FAILURES)('%s', (title, _, place, ...said) => {
    const { failure = '' } = words[idOf(title)] ?? {}
    const [, first = ''] = failure.split('\n')
    expect(first.startsWith(placed(title, place)), failure).toBe(true)
    for (const each of said) expect(first).toContain(each)
    // Where the line is known it is shown, and nothing of ours is named.
    if (place !== '') expect(failure).toMatch(/\n +\d+ \| .*\n +\| +\^/)
    expect(failure).not.toContain('[component.NAME')
    expect(failure.replace(/"[^"]*sdk\/src\/index\.ts"/, '')).not.toMatch(/sdk\/src|wizer|\.js:/)
  })
})

describe('a mistake that a build does not end with is a warning of it:', () => {
  it.each(WARNINGS)('%s', (title, _, place, ...said) => {
    const { failure, warnings = [] } = words[idOf(title)] ?? {}
    expect(failure).toBeUndefined()
    expect(warnings).toHaveLength(1)
    const [first = ''] = warnings
    expect(first.startsWith(placed(title, place)), first).toBe(true)
    for (const each of said) expect(first).toContain(each)
  })
})
