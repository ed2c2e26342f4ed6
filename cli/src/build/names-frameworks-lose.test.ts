import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findMistakes } from './find-mistakes.ts'

const folder = mkdtempSync(join(tmpdir(), 'ftl-names-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function warningsOf(text: string): Promise<string[]> {
  const file = join(folder, 'main.ts')
  writeFileSync(file, text)
  return findMistakes([file], true)
}

const toolWith = (inputSchema: string, name = 'a') =>
  `export const tool = createTool({ metadata: { name: '${name}', inputSchema: ${inputSchema} }, handler: () => '' })`

test('a name that the build refuses gets no warning', async () => {
  expect(await warningsOf(toolWith('{}', 'say hello'))).toEqual([])
  expect(await warningsOf(toolWith('{}', 'say.hello'))).toHaveLength(1)
})

describe('a name or pattern that frameworks lose is reported with them', () => {
  test.each([
    ['z.object({ _id: z.string() })', '"_id": llama-index, crewAI, autogen and mcp-use'],
    ['z.strictObject({ $top: z.number() })', '"$top": semantic-kernel'],
    ['z.object({ a: z.object({ from: z.string() }) })', '"from": mcp-use'],
    ["z.object({ 'class': z.string() })", '"class": mcp-use'],
    ['z.object({ self: z.string() })', '"self": LangChain'],
    [
      'z.object({ a: z.string() }).extend({ model_config: z.string() })',
      '"model_config": llama-index',
    ],
    ["{ type: 'object', properties: { _id: { type: 'string' } } }", '"_id"'],
    ["{ type: 'object', properties: { a: { items: { properties: { self: {} } } } } }", '"self"'],
    ['z.object({ a: z.string().regex(/^(?!x)/) })', 'a pattern that looks ahead'],
    ["{ properties: { a: { pattern: '^(?=.*[a-z])' } } }", 'a pattern that looks ahead'],
  ])('%s', async (schema, words) => {
    const warnings = await warningsOf(toolWith(schema))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(words)
    expect(warnings[0]).toMatch(/main\.ts:1:\d+: /)
    expect(warnings[0]).toContain('docs/clients.md#agent-frameworks')
  })

  test('in a constant of the file, once', async () => {
    const text = `const place = z.object({ _id: z.string() })\nexport const shape = z.object({ a: place, b: place })\n`
    const warnings = await warningsOf(text + toolWith('shape'))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/main\.ts:1:26: .*"_id"/)
  })

  test.each(['mail.send', '3d_model', 'n'.repeat(57)])('the tool name %s', async (name) => {
    const warnings = await warningsOf(toolWith('z.object({})', name))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`the tool name "${name}": OpenAI`)
  })
})

// The texts of both providers: "Property keys should match pattern", "input_schema does not support oneOf, allOf, or anyOf at the top level".
describe('what makes a provider of models refuse all tools is reported', () => {
  test.each([
    ["z.object({ 'DateCreated<': z.string() })", '"DateCreated<": Anthropic'],
    ["{ type: 'object', properties: { 'rule_name[]': {} } }", '"rule_name[]": Anthropic'],
    [`z.object({ ${'n'.repeat(65)}: z.string() })`, 'Anthropic'],
    [
      "{ type: 'object', oneOf: [{ required: ['a'] }] }",
      '"oneOf" at the top: Anthropic and OpenAI',
    ],
  ])('%s', async (schema, words) => {
    const warnings = await warningsOf(toolWith(schema))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(words)
  })

  test('in a constant of the file', async () => {
    const warnings = await warningsOf(`const shape = { anyOf: [] }\n${toolWith('shape')}`)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/main\.ts:1:17: .*"anyOf"/)
  })
})

describe('nothing is reported', () => {
  test.each([
    ['of other names', toolWith("z.object({ a_b: z.string(), 'x-y': z.enum(['from', '_x']) })")],
    [
      'of a value that is called so',
      toolWith("{ properties: { a: { default: { _id: 1 }, enum: ['self'] } } }"),
    ],
    ['of names below', toolWith("z.object({ a: z.object({ 'b<': z.string() }) })")],
    ['of forms below', toolWith("{ type: 'object', properties: { a: { anyOf: [{}] } } }")],
    ['of other objects', `const a = { _id: 1, from: 2 }\n${toolWith('z.object({})')}`],
    [
      'of the result',
      "createTool({ metadata: { name: 'a', outputSchema: z.object({ _id: z.string() }) } })",
    ],
    ['of a constant that names itself', `const a = z.lazy(() => a)\n${toolWith('a')}`],
    ['of a pattern that looks nowhere', toolWith('z.object({ a: z.string().regex(/^(?:x|y)$/) })')],
  ])('%s', async (_, text) => expect(await warningsOf(text)).toEqual([]))
})
