import { describe, expect, it } from 'vitest'
import { call, createWorld, foreign, post, text } from '../testing/components.ts'
import { checkedArguments, withoutNulls } from './omitted-nulls.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer' },
    detail: { enum: ['brief', 'full'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    any: {},
    older: { type: 'string', nullable: true },
    usual: { type: 'string', default: null },
    size: { $ref: '#/$defs/size' },
    place: { anyOf: [{ $ref: '#/$defs/size' }, { type: 'null' }] },
    steps: { type: 'array', items: { $ref: '#/$defs/size' } },
    pair: { type: 'array', prefixItems: [{ $ref: '#/$defs/size' }, { type: 'string' }] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
  $defs: {
    size: {
      type: 'object',
      properties: {
        width: { type: 'number' },
        unit: { const: 'px' },
        in: { $ref: '#/$defs/size' },
      },
      required: ['width'],
    },
  },
  required: ['query'],
  additionalProperties: false,
}

describe('a null that the schema does not allow is left out', () => {
  it.each([
    ['of a property', { limit: null, detail: null, usual: null }, {}],
    ['in an object', { size: { width: 1, unit: null, in: null } }, { size: { width: 1 } }],
    ['in a form of several', { place: { width: 1, unit: null } }, { place: { width: 1 } }],
    ['in items', { steps: [{ width: 1, unit: null }] }, { steps: [{ width: 1 }] }],
    ['in a tuple', { pair: [{ width: 1, unit: null }, 'a'] }, { pair: [{ width: 1 }, 'a'] }],
    [
      'at every level',
      { size: { width: 1, in: { width: 2, in: null } } },
      { size: { width: 1, in: { width: 2 } } },
    ],
  ])('%s', (_, sent, received) => {
    const args = { query: 'x', ...sent }
    expect(checkedArguments(SCHEMA, args)).toEqual({ args: { query: 'x', ...received } })
  })
})

describe('a null is received', () => {
  it.each([
    ['where it is a value', { note: null, place: null }],
    ['where anything is', { any: null }],
    ['where OpenAPI allows it', { older: null }],
  ])('%s', (_, sent) => {
    const args = { query: 'x', ...sent }
    expect(withoutNulls(SCHEMA, args)).toBe(args)
    expect(checkedArguments(SCHEMA, args)).toEqual({ args })
  })
})

describe('a null is refused', () => {
  const errorsOf = (args: Record<string, unknown>) => {
    const checked = checkedArguments(SCHEMA, args)
    return 'errors' in checked ? checked.errors : []
  }

  it('for a required property, as one of a wrong type', () => {
    expect(errorsOf({ query: null, limit: null })).toEqual([
      { path: 'query', message: 'must be string' },
    ])
    expect(errorsOf({ query: 'x', size: { width: null, unit: null } })).toEqual([
      { path: 'size.width', message: 'must be number' },
    ])
  })

  it('for a name that the schema does not have, and as an entry of a record', () => {
    expect(errorsOf({ query: 'x', other: null })).toEqual([
      { path: 'other', message: 'is not allowed' },
    ])
    expect(errorsOf({ query: 'x', labels: { a: null } })).toEqual([
      { path: 'labels.a', message: 'must be string' },
    ])
    expect(errorsOf({ query: 'x', pair: [null] })).toHaveLength(1)
  })

  it('together with what else is wrong, which alone is reported', () => {
    expect(errorsOf({ query: 5, limit: null })).toEqual([
      { path: 'query', message: 'must be string' },
    ])
  })
})

describe('the schemas that are read are bounded', () => {
  it.each([
    ['a reference to itself', { a: { $ref: '#/$defs/a' } }],
    ['forms of itself', { a: { anyOf: Array(10).fill({ $ref: '#/$defs/a' }) } }],
    ['all of itself', { a: { allOf: Array(10).fill({ $ref: '#/$defs/a' }) } }],
  ])('%s', (_, $defs) => {
    const schema = { properties: { a: { $ref: '#/$defs/a' }, b: { type: 'string' } }, $defs }
    const args = { a: { a: null }, b: null }
    expect(withoutNulls(schema, args)).toMatchObject({ a: { a: null } })
    expect(withoutNulls(schema, { a: null })).toEqual({ a: null })
  })
})

it('the tool of a call receives the arguments without them', async () => {
  const seen: unknown[] = []
  const one = foreign({ name: 'find', inputSchema: SCHEMA }, (args) => {
    seen.push(args)
    return text('ok')
  })
  const headers = { 'mcp-protocol-version': '2025-11-25' }
  const args = { query: 'x', limit: null, note: null }
  const response = await createWorld({ components: { one } }).send(
    post(call('find', args), headers),
  )
  expect(await response.json()).toMatchObject({ result: text('ok') })
  expect(seen).toEqual([{ query: 'x', note: null }])
})

it.each([
  [
    'search_tools',
    { query: 'find', detail: null, component: null, annotations: null, limit: null },
  ],
  ['describe_tools', { names: ['find'], format: null }],
  ['use_tool', { name: 'find', arguments: null }],
])('%s can be called with nulls', async (name, args) => {
  const one = foreign({ name: 'find', inputSchema: { type: 'object' } }, () => text('ok'))
  const world = createWorld({ components: { one }, variables: { tools_mode: 'on' } })
  const headers = { 'mcp-protocol-version': '2025-11-25' }
  const { result } = (await (await world.send(post(call(name, args), headers))).json()) as {
    result: { isError?: boolean; content: { text: string }[] }
  }
  expect(result.isError).toBeUndefined()
  expect(result.content[0]?.text).toMatch(/find|ok/)
})
