import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRAFT_7, NEWEST, schema, type Schema, value, verdicts } from '../testing/drawn-schemas.ts'
import { call, createWorld, post } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'
import { simpleSchemas } from './simple-schema.ts'

const object = (properties: object, more: object = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
})
const simpleSchema = (published: Schema) => simpleSchemas()(published)
const NODE = object({ name: { type: 'string' }, next: { $ref: '#/$defs/node' } })

describe('the simple form of a schema', () => {
  it.each<[string, Schema, Schema]>([
    [
      'a reference',
      object(
        { a: { $ref: '#/$defs/size', description: 'How large' } },
        { $defs: { size: { type: 'integer' } } },
      ),
      object({ a: { type: 'integer', description: 'How large' } }),
    ],
    [
      'recursion, which ends after one level',
      object({ a: { $ref: '#/$defs/node' } }, { $defs: { node: NODE } }),
      object({
        a: object({
          name: { type: 'string' },
          next: { type: 'object', description: 'It has the same form as node again.' },
        }),
      }),
    ],
    [
      'a format',
      object({ a: { type: 'string', format: 'email', description: 'Of the user.' } }),
      object({ a: { type: 'string', description: 'Of the user. Format: email.' } }),
    ],
    [
      'a pattern that looks ahead, and one that does not',
      object({ a: { type: 'string', pattern: '^(?=a)b' }, b: { type: 'string', pattern: '^b' } }),
      object({
        a: { type: 'string', description: 'Must match ^(?=a)b' },
        b: { type: 'string', pattern: '^b' },
      }),
    ],
    [
      'forms',
      object({
        a: { oneOf: [{ type: 'string' }, { type: 'null' }] },
        b: { allOf: [{ type: 'string' }], title: 'B' },
      }),
      object({
        a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        b: { type: 'string', title: 'B' },
      }),
    ],
    [
      'a tuple, closed and open',
      object({
        a: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], maxItems: 2 },
        b: { type: 'array', prefixItems: [{ type: 'string' }] },
      }),
      object({
        a: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          maxItems: 2,
        },
        b: { type: 'array', items: {} },
      }),
    ],
    [
      'names and values that look like rules',
      object({
        format: { type: 'string', default: { $ref: '#' }, enum: ['a'] },
        $ref: { type: 'string' },
      }),
      object({
        format: { type: 'string', default: { $ref: '#' }, enum: ['a'] },
        $ref: { type: 'string' },
      }),
    ],
  ])('of %s', (_, published, simple) => {
    expect(simpleSchema(published)).toEqual(simple)
  })

  it('of what would become too large ends', () => {
    const pair = (of: string) => object({ a: { $ref: of }, b: { $ref: of } })
    const names = Array.from({ length: 30 }, (_, at): [string, Schema] => [
      `n${at}`,
      pair(`#/$defs/n${at + 1}`),
    ])
    const published = object(
      { a: { $ref: '#/$defs/n0' } },
      { $defs: { ...Object.fromEntries(names), n30: { type: 'string' } } },
    )
    expect(JSON.stringify(simpleSchema(published)).length).toBeLessThan(400_000)
  })

  it('repeats a long text a few times only, however often it is referred to', () => {
    const places = Array.from({ length: 1_500 }, (_, at): [string, Schema] => [
      `p${at}`,
      { $ref: '#/$defs/a' },
    ])
    const published = object(Object.fromEntries(places), {
      $defs: { a: { type: 'string', description: 'x'.repeat(100_000) } },
    })
    expect(JSON.stringify(simpleSchema(published)).length).toBeLessThan(1_000_000)
  })

  it('is limited for all tools of a list together', () => {
    const pair = (of: string) => object({ a: { $ref: of }, b: { $ref: of } })
    const names = Array.from({ length: 11 }, (_, at): [string, Schema] => [
      `n${at}`,
      pair(`#/$defs/n${at + 1}`),
    ])
    const inputSchema = object(
      { a: { $ref: '#/$defs/n0' } },
      { $defs: { ...Object.fromEntries(names), n11: { type: 'string' } } },
    )
    const lengthOf = (simple: Schema) => JSON.stringify(simple).length
    const one = lengthOf(simpleSchema(inputSchema))
    const simple = simpleSchemas()
    const lengths = Array.from({ length: 300 }, () => lengthOf(simple(inputSchema)))
    expect(one * 300).toBeGreaterThan(10_000_000)
    expect(lengths[0]).toBe(one)
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(3_000_000)
  })

  it.each([
    { $ref: 'https://a.example/b' },
    { $ref: '#name' },
    { $dynamicRef: '#/a' },
    { $id: 'a' },
  ])('is the same where %j leads elsewhere', (a) => {
    const published = object({ a, b: { format: 'uri' } })
    expect(simpleSchema(published)).toBe(published)
  })
})

it.each([NEWEST, DRAFT_7])(
  'what is valid is valid in the simple form, with $schema %s',
  (dialect) => {
    let valid = 0
    fc.assert(
      fc.property(
        schema,
        schema,
        fc.array(value, { minLength: 8, maxLength: 16 }),
        (x, d, drawn) => {
          const root = {
            $schema: dialect,
            type: 'object',
            properties: { x, y: { anyOf: [{ $ref: '#/$defs/d' }] } },
            $defs: { d },
          }
          const before = JSON.stringify(root)
          const published = JSON.parse(before) as Schema
          const simple = { $schema: dialect, ...simpleSchema(published) }
          expect(JSON.stringify(published)).toBe(before)
          const values = drawn.flatMap((each) => [{ x: each }, { y: each }])
          const after = verdicts(simple, values)
          verdicts(published, values).forEach((verdict, index) => {
            if (verdict.includes(false) || verdict.includes(undefined)) return
            valid++
            expect(
              after[index],
              JSON.stringify({ published, simple, value: values[index] }),
            ).toEqual([true, true])
          })
        },
      ),
      { numRuns: 300 },
    )
    expect(valid).toBeGreaterThan(300)
  },
)

describe('through the gateway', () => {
  const tool = {
    name: 'a',
    inputSchema: object({ mail: { type: 'string', pattern: '^(?!x)', format: 'email' } }),
  }
  const world = createWorld({
    components: {
      one: (request) => Response.json(request.method === 'GET' ? tool : { content: [] }),
    },
  })
  const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
  const LEGACY = { 'mcp-protocol-version': '2025-11-25' }
  const SIMPLE = { type: 'string', description: 'Format: email. Must match ^(?!x)' }
  const listed = async (request: Request) =>
    JSON.stringify(await (await world.send(request)).json())

  it.each([
    ['a framework in Python', post(LIST, { ...LEGACY, 'user-agent': 'python-httpx/0.28.1' })],
    ['an address', post(LIST, LEGACY, '/mcp?schemas=simple')],
    ['an address with a client', post(LIST, {}, '/mcp?client=autogen')],
    ['a header', post(LIST, { ...LEGACY, 'ftl-client-options': 'schemas=simple' })],
    ['a list for OpenAI', new Request('http://localhost:3000/tools?format=openai&schemas=simple')],
  ])('%s gets it', async (_, request) => {
    expect(await listed(request)).toContain(JSON.stringify(SIMPLE))
  })

  it('and no other client gets it from a cache between them', async () => {
    const headers = { 'ftl-client-options': 'schemas=simple' }
    expect(await listed(modern('tools/list', {}, { headers }))).toContain('"cacheScope":"private"')
    expect(await listed(modern('tools/list'))).toContain('"cacheScope":"public"')
  })

  it.each([
    ['a client of 2026-07-28', modern('tools/list')],
    ['a client of 2025-11-25', post(LIST, LEGACY)],
    [
      'a framework that wants all',
      post(LIST, { 'user-agent': 'python-httpx/0.28.1' }, '/mcp?schemas=full'),
    ],
    ['a list for OpenAI', new Request('http://localhost:3000/tools?format=openai')],
  ])('%s gets the published one', async (_, request) => {
    expect(await listed(request)).toContain('"format":"email"')
  })

  it('arguments are checked by the published one', async () => {
    const sent = post(call('a', { mail: 'x' }), LEGACY, '/mcp?schemas=simple')
    expect(await (await world.send(sent)).json()).toMatchObject({ result: { isError: true } })
  })
})
