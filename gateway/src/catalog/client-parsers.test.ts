// The list that is made of odd entries, read by the official clients: no entry may cost them another one.
import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import { beforeAll, expect, it, vi } from 'vitest'
import { createWorld } from '../testing/components.ts'
import { describe } from './describe.ts'

const ME = { name: 'test', version: '1' }
const ENDPOINT = new URL('http://localhost:3000/mcp')

let entries: unknown[] = []
const world = createWorld({
  components: { odd: () => Response.json({ tools: entries }) },
  variables: { tools_mode: 'off' },
})
const fetch = (input: string | URL, init?: RequestInit) => {
  const request = new Request(input, init)
  return world.send(request)
}

const v1 = new Client1(ME)
const v2 = new Client2(ME)
const modern = new Client2(ME, { versionNegotiation: { mode: 'auto' } })

beforeAll(async () => {
  // A format that the first client does not know.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await v1.connect(new Transport1(ENDPOINT, { fetch }))
  await v2.connect(new Transport2(ENDPOINT, { fetch }))
  await modern.connect(new Transport2(ENDPOINT, { fetch }))
})

const ODD = [null, true, 'true', 5, [], {}, [null], '']
const odd = fc.constantFrom<unknown>(...ODD)

/** Mostly a sensible value, so that the others are looked at as well. */
const mostly = (...values: unknown[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd })

const record = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { requiredKeys: [] })

/** Some members only, because each may be a schema with members again. */
const few = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .array(
      fc.oneof(
        ...Object.entries(members).map(([name, value]) => fc.tuple(fc.constant(name), value)),
      ),
      {
        maxLength: 4,
      },
    )
    .map((chosen) => Object.fromEntries(chosen) as object)

const or = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: odd })

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const part = fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, odd, tie('schema'))
  const named = or(fc.dictionary(fc.constantFrom('a', 'b', '(', 'toString', '__proto__'), part))
  return {
    schema: few({
      type: mostly('string', 'object', ['null', 'integer'], 'str', ['x'], []),
      nullable: mostly(true, false),
      properties: named,
      patternProperties: named,
      $defs: named,
      dependencies: named,
      dependentRequired: named,
      required: mostly(['a'], ['a', 5]),
      items: fc.oneof(part, fc.array(part, { maxLength: 2 })),
      anyOf: or(fc.array(part, { maxLength: 2 })),
      oneOf: or(fc.array(part, { maxLength: 2 })),
      allOf: or(fc.array(part, { maxLength: 2 })),
      not: part,
      if: part,
      then: part,
      additionalProperties: part,
      propertyNames: part,
      contains: part,
      $ref: mostly(
        '#',
        '#/$defs/a',
        '#/properties/b',
        '#/$defs/none',
        '#x',
        'https://x.example/y',
        '#/%',
      ),
      $anchor: mostly('x', 'not valid'),
      $schema: mostly(
        'http://json-schema.org/draft-04/schema#',
        'https://json-schema.org/draft/2020-12/schema',
      ),
      id: mostly('x'),
      $async: mostly(true),
      enum: mostly([1, null], []),
      const: odd,
      pattern: mostly('^a', '(?P<a>x)\\Z', '(?i)a', '(', '\\-', '[', '(?<!a)b'),
      format: mostly('date-time', 'odd'),
      minimum: mostly(1, '1'),
      exclusiveMinimum: mostly(1, true, false),
      multipleOf: mostly(1, 0),
      minLength: mostly(1, -1),
      uniqueItems: mostly(true, 'true'),
    }),
  }
})

const icon = record({
  src: mostly('https://x.example/y.png'),
  mimeType: mostly('image/png'),
  sizes: mostly(['any'], '48x48'),
  theme: mostly('dark', 'blue'),
})

const tool = record({
  title: mostly('t'),
  description: mostly('d'),
  annotations: or(
    record({
      title: mostly('t'),
      readOnlyHint: mostly(true),
      destructiveHint: mostly(false),
      idempotentHint: mostly(true),
      openWorldHint: mostly(true),
    }),
  ),
  icons: or(fc.array(or(icon), { maxLength: 2 })),
  execution: or(record({ taskSupport: mostly('optional', 'never') })),
  _meta: mostly({ a: null }),
  inputSchema: or(
    fc.tuple(schema, mostly('object')).map(([each, type]) => ({ ...(each as object), type })),
  ),
  outputSchema: or(
    fc.tuple(schema, mostly('object')).map(([each, type]) => ({ ...(each as object), type })),
  ),
  extra: odd,
})

const GOOD = { name: 'good', inputSchema: { type: 'object' } }

it('of odd tools, official clients read every one that is listed', async () => {
  const several = fc.array(or(tool), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(several, async (tools) => {
      const named = tools.map((each, at) =>
        typeof each === 'object' && each !== null && !Array.isArray(each)
          ? { ...each, name: `odd${at}` }
          : each,
      )
      entries = [...named, GOOD]
      const listed = describe({ tools: entries }).offers.tools.map(({ name }) => name)
      expect(listed).toContain('good')
      for (const client of [v1, v2, modern]) {
        const read = await client.listTools()
        expect(read.tools.map(({ name }) => name)).toEqual(listed)
      }
    }),
    { numRuns: 150 },
  )
})
