// Schemas of every library: what clients are shown, what is refused and in which words.
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod3'
import { createTool, type InputSchema, InvalidArguments, withJsonSchema } from '../index.ts'
import type { ToolContext } from '../tool/context.ts'

const make = (inputSchema: InputSchema) =>
  createTool({ metadata: { name: 'order', inputSchema }, handler: () => 'taken' })
const shown = (schema: InputSchema) => make(schema).description.inputSchema

const ORDER = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] },
    },
  },
  required: ['items'],
} as const

const valibot = v.object({ items: v.array(v.object({ price: v.number() })) })
const LIBRARIES: [string, InputSchema][] = [
  ['Zod 4', z.object({ items: z.array(z.object({ price: z.number() })) })],
  ['Zod mini', mini.object({ items: mini.array(mini.object({ price: mini.number() })) })],
  ['Zod 3', z3.object({ items: z3.array(z3.object({ price: z3.number() })) })],
  ['Valibot', withJsonSchema(valibot, ORDER)],
  ['ArkType', type({ items: type({ price: 'number' }).array() })],
  ['JSON Schema', ORDER],
]

describe.each(LIBRARIES)('a schema of %s', (_, schema) => {
  it('is shown as JSON Schema', () => {
    expect(shown(schema)).toMatchObject(ORDER)
  })

  it('refuses arguments with path and rule', async () => {
    const items = [{ price: 1 }, { price: 2 }, { price: 'three' }]
    const call = make(schema).call({ items }, {} as ToolContext)
    await expect(call).rejects.toThrow(InvalidArguments)
    await expect(call).rejects.toThrow(/^items\[2\]\.price: .*number.*$/i)
  })

  it('takes what fits', async () => {
    const result = await make(schema).call({ items: [{ price: 1 }] }, {} as ToolContext)
    expect(result).toEqual({ content: [{ type: 'text', text: 'taken' }] })
  })
})

describe('a schema that cannot say what it is', () => {
  it.each<[InputSchema, RegExp]>([
    [
      valibot,
      /a schema of valibot does not provide.*withJsonSchema\(schema, toJsonSchema\(schema\)\), with toJsonSchema of "@valibot\/to-json-schema"/,
    ],
    [
      z.object({ at: z.date() }),
      /tool "order": inputSchema: at "at": Date cannot be represented.*withJsonSchema/,
    ],
    [
      mini.object({ at: mini.date() }),
      /a date at properties\/at has no form in JSON.*withJsonSchema/,
    ],
    [
      z3.object({ a: z3.object({ at: z3.date() }) }),
      /a Date at properties\/a\/properties\/at has no form/,
    ],
    [z3.object({ all: z3.map(z3.string(), z3.string()) }), /a Map at properties\/all/],
    [z3.object({ big: z3.bigint() }), /a BigInt at properties\/big/],
    [Promise.resolve({}) as never, /it is a promise: await it first/],
    [5 as never, /it must be a schema/],
    [z.string(), /the root must have "type": "object"/],
  ])('is refused when the tool is made: %#', (schema, message) => {
    expect(() => make(schema)).toThrow(message)
  })
})
