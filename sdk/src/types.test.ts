// What the compiler promises to authors of tools; the type checker is the test.
import type { Platform } from 'ftl-platform'
import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import * as z3 from 'zod3'
import { createTool, type ToolContext } from './index.ts'
import type { ContextPlatform } from './tool/context.ts'

it('infers a handler’s input from Zod 4, with defaults applied', () => {
  const tool = createTool({
    metadata: {
      name: 'a',
      inputSchema: z.object({
        text: z.string(),
        times: z.number().default(1),
        tag: z.string().optional(),
      }),
    },
    handler: (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{ text: string; times: number; tag?: string | undefined }>()
      expectTypeOf(context).toEqualTypeOf<ToolContext>()
      return ''
    },
  })
  expect(tool.description.inputSchema['required']).toEqual(['text'])
})

it('infers it from Zod 3', () => {
  createTool({
    metadata: {
      name: 'a',
      inputSchema: z3.object({ text: z3.string(), on: z3.boolean().optional() }),
    },
    handler: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ text: string; on?: boolean | undefined }>()
      return ''
    },
  })
})

it('gives an open record for plain JSON Schema and for no schema', () => {
  createTool({
    metadata: { name: 'a', inputSchema: { type: 'object' } },
    handler: (input) => {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>()
      return ''
    },
  })
})

it('refuses an answer that is no tool result', () => {
  createTool({
    metadata: { name: 'a' },
    // @ts-expect-error a number is neither a text nor a result
    handler: () => 5,
  })
})

it('repeats the shape of the platform exactly, though it imports none', () => {
  expectTypeOf<ContextPlatform>().toEqualTypeOf<Platform>()
})
