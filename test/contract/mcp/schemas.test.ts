// JSON Schema: https://modelcontextprotocol.io/specification/2026-07-28/basic/index#json-schema-usage
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ALL, ask, MODERN, textOf } from './client.ts'

const application = useApplication()

function call(name: string, args: object, revision: string = MODERN) {
  return ask(application.url, 'tools/call', { name, arguments: args }, { revision })
}

describe.each(['2026-07-28', '2025-11-25'])('arguments at %s', (revision) => {
  it.each([
    ['2020-12 when the schema names none', 'dialect_default'],
    ['draft-07 when it names that', 'dialect_draft_07'],
  ])('[schema.default-dialect] [schema.declared-dialect] are held to %s', async (_, name) => {
    expect(textOf(await call(name, { pair: ['a', 1] }, revision))).toBe('{"pair":["a",1]}')
    expect((await call(name, { pair: ['a', 'b'] }, revision)).result['isError']).toBe(true)
  })

  it('[schema.unknown-dialect] of a dialect that is not known end in an error that names it', async () => {
    const { error, result, text } = await call('dialect_unknown', {}, revision)
    expect(error !== undefined || result['isError'] === true).toBe(true)
    expect(text).toContain('https://example.com/my-own-dialect')
  })
})

describe('[schema.default-dialect] a schema with every kind of keyword', () => {
  const NAME = 'json_schema_2020_12_tool'
  it.each([
    [{ contactMethod: 'phone', phone: '1' }],
    [{ name: 'a', email: 'a@b.c', address: { street: 's' } }],
  ])('takes %j', async (args) => {
    expect(JSON.parse(String(textOf(await call(NAME, args))))).toEqual(args)
  })

  it.each([
    [{}],
    [{ contactMethod: 'phone', email: 'a@b.c' }],
    [{ email: 'a@b.c', address: { street: 5 } }],
    [{ email: 'a@b.c', unknown: 1 }],
  ])('refuses %j', async (args) => {
    expect((await call(NAME, args)).result['isError']).toBe(true)
  })
})

it('a pattern may name properties of Unicode', async () => {
  const name = 'Ærø '.repeat(5_000)
  expect(textOf(await call('unicode_pattern', { name }))).toBe(JSON.stringify({ name }))
  const { result, text } = await call('unicode_pattern', { name: 'ærø' })
  expect(result['isError']).toBe(true)
  expect(text).toContain('pattern')
})

it('[schema.no-network] [schema.unresolved-ref] a reference to the network is not followed, and lets nothing pass', async () => {
  for (const value of ['text', 5]) {
    const { error, result } = await call('network_ref', { value })
    expect(error !== undefined || result['isError'] === true).toBe(true)
  }
  expect(textOf(await call('schema_fetches', {}))).toBe('0')
})

it.each(['endless', 'branching'])(
  '[schema.bounded] the schema %s costs an error, before the host ends the gateway',
  async (name) => {
    const { status, error, result } = await call(name, { value: 5 })
    expect(status).toBe(200)
    expect(error !== undefined || result['isError'] === true).toBe(true)
    // Other tools still work.
    expect(textOf(await call('repeat', { text: 'still here' }))).toBe('still here')
  },
)

it.each(ALL)('[schema.kept] keywords reach the client at %s', async (revision) => {
  const { result } = await ask(application.url, 'tools/list', {}, { revision })
  const tools = result['tools'] as { name: string; inputSchema: object }[]
  expect(tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    // With the type of each constant.
    if: {
      properties: { contactMethod: { type: 'string', const: 'phone' } },
      required: ['contactMethod'],
    },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  })
})
