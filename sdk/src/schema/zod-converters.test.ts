// The JSON Schema of Zod 3 and of Zod mini is the one that the libraries' own converters produce.
import { describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod3'
import { zodToJsonSchema as judge } from 'zod-to-json-schema'
import { createTool, type InputSchema } from '../index.ts'

const shown = (inputSchema: InputSchema) =>
  createTool({ metadata: { name: 'order', inputSchema }, handler: () => 'taken' }).description
    .inputSchema

// The libraries' own converters, where they say the same thing; `$schema` is left to them.
describe('the JSON Schema of Zod 3 is what zod-to-json-schema makes of it', () => {
  // As TypeScript compiles `enum Size { Small, Large = 'L' }`.
  const Size = { 0: 'Small', Small: 0, Large: 'L' } as const
  it.each<[string, z3.ZodTypeAny]>([
    [
      'texts',
      z3.object({
        a: z3.string().min(1).max(9),
        b: z3.string().email(),
        c: z3.string().uuid(),
        d: z3.string().url(),
        e: z3.string().datetime(),
        f: z3.string().length(3),
        g: z3.string().regex(/^a+$/),
      }),
    ],
    ['prefixes', z3.object({ a: z3.string().startsWith('a.b'), b: z3.string().endsWith('z') })],
    [
      'numbers',
      z3.object({
        a: z3.number().int().min(1).max(9),
        b: z3.number().gt(0).lt(1),
        c: z3.number().multipleOf(5),
      }),
    ],
    [
      'literals',
      z3.object({
        a: z3.literal('x'),
        b: z3.literal(5),
        c: z3.enum(['p', 'q']),
        d: z3.boolean(),
        e: z3.null(),
      }),
    ],
    [
      'optional',
      z3.object({
        a: z3.string().optional(),
        b: z3.number().default(3),
        c: z3.string().describe('words'),
      }),
    ],
    [
      'lists',
      z3.object({ a: z3.array(z3.string()).min(1).max(2), b: z3.array(z3.number()).length(3) }),
    ],
    [
      'closed and open',
      z3.object({
        a: z3.object({}).strict(),
        b: z3.object({}).passthrough(),
        c: z3.object({}).catchall(z3.string()),
      }),
    ],
    ['records', z3.object({ a: z3.record(z3.number()) })],
    [
      'unions',
      z3.object({
        a: z3.union([z3.object({ b: z3.string() }), z3.array(z3.string())]),
        c: z3.discriminatedUnion('k', [
          z3.object({ k: z3.literal('x') }),
          z3.object({ k: z3.literal('y'), n: z3.number() }),
        ]),
      }),
    ],
    [
      'wrappers',
      z3.object({
        a: z3.string().transform(Number),
        b: z3.string().brand('B'),
        c: z3.string().readonly(),
        d: z3.string().refine(Boolean),
        e: z3.any(),
        f: z3.string().pipe(z3.string()),
        g: z3.lazy(() => z3.string()),
        h: z3.string().catch('x'),
      }),
    ],
  ])('%s', (_, schema) => {
    const { $schema: _dialect, ...expected } = judge(schema as never, {
      $refStrategy: 'none',
      patternStrategy: 'preserve',
      pipeStrategy: 'input',
    }) as Record<string, unknown>
    // `.` of a prefix is a character, not a pattern; the judge is asked to keep what the author wrote otherwise.
    const text = JSON.stringify(expected).replace('"^a.b"', '"^a\\\\.b"')
    expect(shown(schema as never)).toEqual(JSON.parse(text))
  })

  it('but for enums, nullables and tuples, which are said as Zod 4 says them', () => {
    const schema = z3.object({
      size: z3.nativeEnum(Size),
      none: z3.string().nullable(),
      pair: z3.tuple([z3.string(), z3.number()]),
    })
    expect(shown(schema)['properties']).toEqual({
      size: { enum: [0, 'L'] },
      none: { type: ['string', 'null'] },
      pair: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        minItems: 2,
        maxItems: 2,
      },
    })
  })
})

describe('the JSON Schema of Zod mini is what Zod makes of it', () => {
  it.each<[string, mini.ZodMiniType]>([
    [
      'texts',
      mini.object({
        a: mini.string().check(mini.minLength(1), mini.maxLength(9)),
        c: mini.string().check(mini.regex(/^a+$/)),
        d: mini.string().check(mini.length(2)),
      }),
    ],
    [
      'formats',
      mini.object({ a: mini.email(), b: mini.uuid(), c: mini.iso.datetime(), d: mini.iso.date() }),
    ],
    [
      'numbers',
      mini.object({
        b: mini.number().check(mini.gt(0), mini.lt(1)),
        c: mini.number().check(mini.multipleOf(5), mini.gte(0)),
      }),
    ],
    [
      'literals',
      mini.object({
        a: mini.literal('x'),
        b: mini.literal([1, 2]),
        c: mini.enum(['p', 'q']),
        d: mini.boolean(),
        e: mini.null(),
      }),
    ],
    [
      'optional',
      mini.object({
        a: mini.optional(mini.string()),
        b: mini._default(mini.number(), 3),
        c: mini.nullable(mini.string()),
      }),
    ],
    [
      'lists',
      mini.object({ a: mini.array(mini.string()).check(mini.minLength(1), mini.maxLength(2)) }),
    ],
    [
      'closed and open',
      mini.object({
        a: mini.strictObject({}),
        b: mini.looseObject({}),
        c: mini.catchall(mini.object({}), mini.string()),
      }),
    ],
    [
      'unions',
      mini.object({
        a: mini.union([mini.string(), mini.object({ b: mini.string() })]),
        c: mini.discriminatedUnion('k', [
          mini.object({ k: mini.literal('x') }),
          mini.object({ k: mini.literal('y') }),
        ]),
      }),
    ],
    [
      'described',
      mini.object({
        a: mini.string().register(mini.globalRegistry, { description: 'words', title: 'Title' }),
      }),
    ],
    [
      'wrappers',
      mini.object({
        a: mini.readonly(mini.string()),
        b: mini.lazy(() => mini.string()),
        c: mini.pipe(mini.string(), mini.transform(Number)),
        e: mini.any(),
      }),
    ],
  ])('%s', (_, schema) => {
    const { $schema: _dialect, ...expected } = toJSONSchema(schema, { io: 'input' })
    expect(withoutFormatPatterns(shown(schema))).toEqual(withoutFormatPatterns(expected))
  })
})

// The pattern behind a format is Zod's own, and may be kept or left out.
function withoutFormatPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFormatPatterns)
  if (typeof value !== 'object' || value === null) return value
  const { pattern, ...rest } = value as Record<string, unknown>
  const kept = 'format' in rest ? rest : { ...rest, ...(pattern !== undefined && { pattern }) }
  return Object.fromEntries(
    Object.entries(kept).map(([key, part]) => [key, withoutFormatPatterns(part)]),
  )
}

it('what Zod takes for granted may be left out', () => {
  const schema = mini.object({ a: mini.catch(mini.string(), 'x'), b: mini.string() })
  expect(schema.safeParse({ b: '' }).success).toBe(true)
  expect(shown(schema)['required']).toEqual(['b'])
})

it('a schema that contains itself refers to itself', () => {
  interface Tree {
    leaves: Tree[]
  }
  const tree: z3.ZodType<Tree> = z3.lazy(() => z3.object({ leaves: z3.array(tree) }))
  const described = shown(z3.object({ tree }) as never)
  expect(described['properties']).toMatchObject({
    tree: { properties: { leaves: { items: { $ref: '#/properties/tree' } } } },
  })
})
