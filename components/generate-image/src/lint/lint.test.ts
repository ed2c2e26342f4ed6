import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONFIG_FILES, type ConfigFile } from '../config-schema.ts'
import { FIXTURES, mounts } from '../testing/machine.ts'
import { JsonSyntaxError, lineOf, parseLocated } from './json-lines.ts'
import { configSchema, schemaName } from './json-schema.ts'
import { formatFinding, lintConfiguration } from './lint.ts'

const SHIPPED = new URL('../../', import.meta.url)

function filesOf(folder: URL): Record<string, string> {
  const files = Object.entries(mounts(folder)).filter(([name]) => !name.includes('.schema.'))
  return Object.fromEntries(files.map(([name, text]) => [name.slice(1), text]))
}

const types = (...entries: string[]) =>
  `{\n  "renderTypes": [\n${entries.map((entry) => `    ${entry}`).join(',\n')}\n  ]\n}`
const lint = (files: Record<string, string>, variables?: string[]) =>
  lintConfiguration({ files: { ...base, ...files }, variables }).map(formatFinding)
const base = {
  'config/render-types.json': types('{ "name": "A", "workflow": "a.json" }'),
  'workflows/a.json': `{
  "1": { "class_type": "CLIPTextEncode", "inputs": { "text": "" }, "_meta": { "title": "MCP_INPUT_PROMPT" } },
  "2": { "class_type": "CLIPTextEncode", "inputs": { "text": "" } },
  "3": {
    "class_type": "SaveImage",
    "inputs": { "images": ["4", 0] },
    "_meta": { "title": "MCP_OUTPUT_IMAGE" }
  },
  "4": { "class_type": "KSampler", "inputs": { "seed": 0, "positive": ["1", 0] } }
}`,
}
const workflow = base['workflows/a.json']

describe('what is shipped', () => {
  it.each([
    ['by us', SHIPPED],
    ['to the tests', FIXTURES],
  ])('%s is in order', (_, folder) => {
    expect(lintConfiguration({ files: filesOf(folder), variables: ['comfyui_url'] })).toEqual([])
  })

  it.each(Object.keys(CONFIG_FILES) as ConfigFile[])('has the schema of %s beside it', (file) => {
    const text = readFileSync(new URL(`config/${schemaName(file)}`, SHIPPED), 'utf8')
    expect(JSON.parse(text)).toEqual(JSON.parse(configSchema(file)))
    const { $schema } = JSON.parse(readFileSync(new URL(`config/${file}`, SHIPPED), 'utf8')) as {
      $schema: string
    }
    expect($schema).toBe(`./${schemaName(file)}`)
  })
})

it('a seed of 2^64 - 1 in a workflow is no mistake', () => {
  expect(
    lint({ 'workflows/a.json': workflow.replace('"seed": 0', '"seed": 18446744073709551615') }),
  ).toEqual([])
})

describe('the linter names file, line and what to do', () => {
  it('for a workflow file that is not there', () => {
    const file = types(
      '{ "name": "A", "workflow": "a.json" }',
      '{ "name": "B", "workflow": "b.json" }',
    )
    expect(lint({ 'config/render-types.json': file })).toEqual([
      'config/render-types.json:4: "workflow": there is no workflows/b.json; there is "a.json"',
    ])
  })

  it('for a workflow in the format of the editor', () => {
    const [finding] = lint({ 'workflows/a.json': '{\n "nodes": [],\n "links": []\n}' })
    expect(finding).toMatch(/^workflows\/a\.json:1: .*Export it with "File → Export \(API\)"/)
  })

  it('for a title that is not there', () => {
    expect(lint({ 'workflows/a.json': workflow.replace('MCP_INPUT_PROMPT', 'Prompt') })).toEqual([
      expect.stringMatching(
        /^workflows\/a\.json:1: for render type "A": no node has the title "MCP_INPUT_PROMPT"; give it/,
      ),
    ])
  })

  it('for an ambiguous mapping', () => {
    const mapped = types(
      '{ "name": "A", "workflow": "a.json", "mappings": {\n      "prompt": [\n        { "class_type": "CLIPTextEncode", "input": "text" }\n      ] } }',
    )
    expect(lint({ 'config/render-types.json': mapped })).toEqual([
      'config/render-types.json:5: "class_type": the nodes "1", "2" are all of class "CLIPTextEncode"; name one by "node"',
    ])
  })

  it('for a workflow that makes no image', () => {
    const text = workflow.replace('SaveImage', 'Note').replace('MCP_OUTPUT_IMAGE', 'x')
    expect(lint({ 'workflows/a.json': text })).toEqual([
      expect.stringMatching(
        /^workflows\/a\.json:1: for render type "A": no node saves an image; add/,
      ),
    ])
  })

  it('for names that come twice', () => {
    const file = types(
      '{ "name": "A", "workflow": "a.json" }',
      '{\n "name": "A", "workflow": "a.json" }',
    )
    expect(lint({ 'config/render-types.json': file })).toEqual([
      'config/render-types.json:5: "name": "A" is the name of an earlier entry; choose another one',
    ])
    expect(lint({ 'workflows/a.json': workflow.replace('"2": {', '"1": {') })).toContain(
      'workflows/a.json:3: "1": this key comes twice',
    )
  })

  it('for a secret nobody declared', () => {
    const servers = `[\n  { "name": "a", "url": "http://a" },\n  { "name": "b", "url": "http://b", "auth": { "variable": "token" } }\n]`
    expect(lint({ 'config/servers.json': servers }, ['comfyui_url', 'token'])).toEqual([])
    expect(lint({ 'config/servers.json': servers }, ['comfyui_url'])).toEqual([
      expect.stringMatching(
        /^config\/servers\.json:3: "variable": the component has no variable "token"; declare it/,
      ),
    ])
  })

  it('for what is no JSON, an unknown key and a wrong value', () => {
    expect(lint({ 'config/styles.json': '[\n  { "name": "S" "prompt": "x" }\n]' })).toEqual([
      expect.stringMatching(/^config\/styles\.json:2: is not valid JSON: expected "," or "}"/),
    ])
    expect(lint({ 'config/styles.json': '[\n  {\n "name": "S",\n "prompt": "x" }\n]' })).toEqual([
      expect.stringMatching(/^config\/styles\.json:4: "prompt": .*\{prompt\}/),
    ])
    expect(
      lint({
        'config/styles.json': '[\n  {\n "name": "S",\n "prompt": "{prompt}", "negativ": "x" }\n]',
      }),
    ).toEqual([expect.stringMatching(/^config\/styles\.json:2: .*"negativ"/)])
  })

  it('for a file that is not there at all', () => {
    expect(lintConfiguration({ files: {} }).map(formatFinding)).toEqual([
      'config/render-types.json:1: is not there',
    ])
  })
})

describe('JSON with lines', () => {
  it.each(['{"a": [1, -2.5e3, true, null, "x\\u00e9\\n"], "b": {}}', ' [] ', '"x"', '0'])(
    'is read as the engine reads it: %s',
    (text) => expect(parseLocated(text).value).toEqual(JSON.parse(text)),
  )

  it('of every shipped file is read as the engine reads it', () => {
    for (const text of Object.values(filesOf(SHIPPED))) {
      expect(parseLocated(text).value).toEqual(JSON.parse(text))
    }
  })

  it.each([
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '01',
    '1.',
    '"\n"',
    '"\\x"',
    '[1] 2',
    'nul',
    "{'a':1}",
  ])('is refused as the engine refuses it: %j', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(() => parseLocated(text)).toThrow(JsonSyntaxError)
  })

  it('gives what is missing the line of what should have it', () => {
    const located = parseLocated('{\n\n  "a": {\n    "b": 1 }\n}')
    expect(lineOf(located, ['a', 'b'])).toBe(4)
    expect(lineOf(located, ['a', 'c', 0])).toBe(3)
    expect(lineOf(located, ['x'])).toBe(1)
  })
})
