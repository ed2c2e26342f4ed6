// What the compiler infers from every kind of schema; the type checker runs the test.
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod3'
import {
  createPrompt,
  createResource,
  createTool,
  type FromJsonSchema,
  type GivenTo,
  type ResultOf,
  type ToolContext,
  ToolResponse,
  withJsonSchema,
} from './index.ts'

/** The input a handler gets, as the compiler sees it. */
interface Order {
  item: string
  count?: number | undefined
}

it('infers the input from every library', () => {
  const shapes = [
    createTool({
      metadata: {
        name: 'a',
        inputSchema: z.object({ item: z.string(), count: z.number().optional() }),
      },
      handler: (input) => void expectTypeOf(input).toEqualTypeOf<Order>(),
    }),
    createTool({
      metadata: {
        name: 'a',
        inputSchema: mini.object({ item: mini.string(), count: mini.optional(mini.number()) }),
      },
      handler: (input) => void expectTypeOf(input).toEqualTypeOf<Order>(),
    }),
    createTool({
      metadata: {
        name: 'a',
        inputSchema: z3.object({ item: z3.string(), count: z3.number().optional() }),
      },
      handler: (input) => void expectTypeOf(input).toEqualTypeOf<Order>(),
    }),
    createTool({
      metadata: { name: 'a', inputSchema: type({ item: 'string', 'count?': 'number' }) },
      handler: (input) =>
        void expectTypeOf(input).toEqualTypeOf<{ item: string; count?: number }>(),
    }),
  ]
  const schema = v.object({ item: v.string(), count: v.optional(v.number()) })
  const valibot = createTool({
    metadata: { name: 'a', inputSchema: withJsonSchema(schema, { type: 'object' }) },
    handler: (input) => void expectTypeOf(input).toEqualTypeOf<Order>(),
  })
  expect([...shapes, valibot]).toHaveLength(5)
})

it('infers the input from a JSON Schema literal', () => {
  createTool({
    metadata: {
      name: 'a',
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          unit: { enum: ['C', 'F'] },
          days: { type: 'array', items: { type: 'integer' } },
          note: { type: ['string', 'null'] },
          exact: { const: true },
          where: {
            anyOf: [
              { type: 'string' },
              { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
            ],
          },
          more: {},
        },
        required: ['city', 'unit'],
      },
    },
    handler: (input) => {
      expectTypeOf(input).toEqualTypeOf<{
        city: string
        unit: 'C' | 'F'
        days?: number[]
        note?: string | null
        exact?: true
        where?: string | { lat: number }
        more?: unknown
      }>()
    },
  })
  const schema = {
    type: 'object',
    properties: { a: { type: 'boolean' } },
    required: ['a'],
  } as const
  createTool({
    metadata: { name: 'a', inputSchema: schema },
    handler: (input) => void expectTypeOf(input).toEqualTypeOf<{ a: boolean }>(),
  })
  expectTypeOf<
    FromJsonSchema<{ type: 'object'; additionalProperties: { type: 'number' } }>
  >().toEqualTypeOf<Record<string, number>>()
  expectTypeOf<FromJsonSchema<{ $ref: '#/x' }>>().toEqualTypeOf<unknown>()
})

it('gives an open record where a JSON Schema says nothing to the compiler', () => {
  const written: Record<string, unknown> = { type: 'object' }
  createTool({
    metadata: { name: 'a', inputSchema: written },
    handler: (input) => void expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
  })
  createTool({
    metadata: { name: 'a' },
    handler: (input) => void expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
  })
  const loose = { type: 'object', properties: { a: { type: 'string' } } }
  createTool({
    metadata: { name: 'a', inputSchema: loose },
    handler: (input) => void expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
  })
})

it('holds what a handler returns to the outputSchema', () => {
  const outputSchema = z.object({ grams: z.number() })
  const plain = {
    type: 'object',
    properties: { grams: { type: 'number' } },
    required: ['grams'],
  } as const
  const good = [
    createTool({ metadata: { name: 'a', outputSchema }, handler: () => ({ grams: 5 }) }),
    createTool({
      metadata: { name: 'a', outputSchema: plain },
      handler: async () => ({ grams: 5 }),
    }),
    createTool({
      metadata: { name: 'a', outputSchema },
      handler: () => ToolResponse.error('none'),
    }),
    createTool({
      metadata: { name: 'a', outputSchema },
      handler: async function* () {
        yield { message: 'weighing' }
        return { grams: 5 }
      },
    }),
  ]
  const bad = [
    // @ts-expect-error a text where grams are promised
    () => createTool({ metadata: { name: 'a', outputSchema }, handler: () => 'five' }),
    // @ts-expect-error a word where a number is promised
    () => createTool({ metadata: { name: 'a', outputSchema }, handler: () => ({ grams: 'five' }) }),
    () =>
      // @ts-expect-error the same of plain JSON Schema
      createTool({ metadata: { name: 'a', outputSchema: plain }, handler: () => ({ grams: '' }) }),
    // @ts-expect-error nothing where grams are promised
    () => createTool({ metadata: { name: 'a', outputSchema }, handler: () => {} }),
  ]
  expect([good.length, bad.length]).toEqual([4, 4])
})

it('takes texts, objects and nothing where nothing is promised, and nothing else', () => {
  interface Dish {
    name: string
  }
  const dish: Dish = { name: 'soup' }
  const good = [
    createTool({ metadata: { name: 'a' }, handler: () => dish }),
    createTool({ metadata: { name: 'a' }, handler: async () => {} }),
    createTool({ metadata: { name: 'a' }, handler: () => 'text' }),
  ]
  const bad = [
    // @ts-expect-error a list has no property names
    () => createTool({ metadata: { name: 'a' }, handler: () => [1] }),
    // @ts-expect-error a function is not an answer
    () => createTool({ metadata: { name: 'a' }, handler: () => () => 1 }),
    // @ts-expect-error a BigInt is not an answer
    () => createTool({ metadata: { name: 'a' }, handler: () => 5n }),
    // @ts-expect-error content must name its type
    () => createTool({ metadata: { name: 'a' }, handler: () => ({ content: [{ text: '' }] }) }),
  ]
  expect([good.length, bad.length]).toEqual([3, 4])
})

it('knows a tool’s arguments and result where another calls it', () => {
  const stock = createTool({
    metadata: {
      name: 'stock',
      inputSchema: z.object({ what: z.string(), unit: z.string().default('g') }),
      outputSchema: z.object({ grams: z.number() }),
    },
    handler: () => ({ grams: 1 }),
  })
  expect(stock.description.name).toBe('stock')
  // As a caller writes them: arguments with a default are optional.
  expectTypeOf<GivenTo<typeof stock>>().toEqualTypeOf<{ what: string; unit?: string | undefined }>()
  expectTypeOf<ResultOf<typeof stock>>().toEqualTypeOf<{ grams: number }>()
  const call = async ({ callTool }: ToolContext) => {
    const known = await callTool<typeof stock>('pantry', { what: 'a' })
    expectTypeOf(known.structuredContent).toEqualTypeOf<{ grams: number }>()
    // @ts-expect-error an argument it does not have
    await callTool<typeof stock>('pantry', { which: 'a' })
    const unknown = await callTool('pantry/other', { anything: 1 })
    expectTypeOf(unknown.structuredContent).toEqualTypeOf<unknown>()
  }
  expect(call).toBeTypeOf('function')
})

it('knows what the context takes', () => {
  const use = async ({ progress, log, kv, variables, fetch }: ToolContext) => {
    progress(1)
    progress('words')
    progress({ message: 'a', progress: 1, total: 2 })
    // @ts-expect-error a date is not progress
    progress(new Date())
    log.warning({ a: 1 })
    log('error', 'a')
    // @ts-expect-error no such level
    log('loud', 'a')
    expectTypeOf(await kv.getJson<number>('a')).toEqualTypeOf<number | undefined>()
    expectTypeOf(await kv.getText('a')).toEqualTypeOf<string | undefined>()
    expectTypeOf(variables.require('a')).toEqualTypeOf<string>()
    expectTypeOf(variables.get('a')).toEqualTypeOf<string | undefined>()
    expectTypeOf(await fetch('http://a')).toEqualTypeOf<Response>()
  }
  expect(use).toBeTypeOf('function')
})

it('infers a prompt’s arguments and a resource’s variables', () => {
  const made = [
    createPrompt({
      metadata: { name: 'a', arguments: { code: { required: true }, language: {} } },
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ code: string; language?: string }>()
        return args.code
      },
    }),
    createResource({
      metadata: { uriTemplate: 'note://{day}/{+path}', name: 'a', complete: { day: ['today'] } },
      handler: (variables, { uri }) => {
        expectTypeOf(variables).toEqualTypeOf<{ day: string; path: string }>()
        return uri
      },
    }),
    createResource({ metadata: { uri: 'note://today', name: 'a' }, handler: () => 'text' }),
  ]
  const bad = () =>
    createResource({
      // @ts-expect-error no such variable
      metadata: { uriTemplate: 'note://{day}', name: 'a', complete: { night: [] } },
      handler: () => '',
    })
  expect([...made, bad]).toHaveLength(4)
})
