// What the compiler guarantees to authors of tools; the type checker runs the test.
import type { Platform } from 'ftl-platform'
import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import * as z3 from 'zod3'
import { createTool, type JobContext, type ToolContext, ToolResponse } from './index.ts'
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

it('refuses an answer that is not a tool result', () => {
  createTool({
    metadata: { name: 'a' },
    // @ts-expect-error a number is neither a text nor a result
    handler: () => 5,
  })
})

it('repeats the shape of the platform exactly, though it imports none', () => {
  expectTypeOf<ContextPlatform>().toEqualTypeOf<Platform>()
})

it('infers the input of a generator, and refuses invalid updates and results', () => {
  const inputSchema = z.object({ files: z.array(z.string()) })
  createTool({
    metadata: { name: 'a', inputSchema },
    handler: async function* ({ files }, context) {
      expectTypeOf(files).toEqualTypeOf<string[]>()
      expectTypeOf(context).toEqualTypeOf<ToolContext>()
      yield { message: 'Reading', progress: 1, total: files.length }
      yield ToolResponse.log('info', { files })
      return ToolResponse.text('done')
    },
  })
  createTool({
    metadata: { name: 'a' },
    // @ts-expect-error a number is not an update
    handler: async function* () {
      yield 5
      return ''
    },
  })
  createTool({
    metadata: { name: 'a' },
    // @ts-expect-error a number is not a result
    handler: async function* () {
      yield { message: 'at it' }
      return 5
    },
  })
})

it('infers what a job is looked at with from what its start returns', () => {
  createTool({
    metadata: { name: 'a', inputSchema: z.object({ text: z.string() }) },
    job: {
      start: async (input, context) => {
        expectTypeOf(input).toEqualTypeOf<{ text: string }>()
        expectTypeOf(context).toEqualTypeOf<JobContext>()
        return { ticket: 5 }
      },
      poll: async (state, { job }) => {
        expectTypeOf(state).toEqualTypeOf<{ ticket: number } | undefined>()
        expectTypeOf(job.phase).toEqualTypeOf<'submitting' | 'accepted'>()
        return state ? { result: ToolResponse.text('done') } : 'lost'
      },
      cancel: async (state) => {
        expectTypeOf(state).toEqualTypeOf<{ ticket: number } | undefined>()
        return 'ended'
      },
    },
  })
})

it('infers what a start gets from what is prepared', () => {
  createTool({
    metadata: { name: 'a', inputSchema: z.object({ text: z.string() }) },
    job: {
      prepare: async ({ text }, context) => {
        expectTypeOf(context).toEqualTypeOf<ToolContext>()
        return { length: text.length }
      },
      start: (prepared) => {
        expectTypeOf(prepared).toEqualTypeOf<{ length: number }>()
        return 'ticket'
      },
      poll: async (state) => {
        expectTypeOf(state).toEqualTypeOf<string | undefined>()
        return 'unreachable'
      },
    },
  })
})

it('refuses a tool with neither a handler nor a job, and one with both', () => {
  const job = { start: () => '', poll: async () => 'lost' as const }
  const neither = () =>
    // @ts-expect-error nothing to do
    createTool({ metadata: { name: 'a' } })
  const both = () =>
    // @ts-expect-error two things to do
    createTool({ metadata: { name: 'a' }, handler: () => '', job })
  expect([neither, both]).toHaveLength(2)
})

it('refuses a text beside an outputSchema, whose promise it would break', () => {
  const outputSchema = z.object({ sum: z.number() })
  createTool({
    metadata: { name: 'a', outputSchema },
    // @ts-expect-error a text has no structuredContent
    handler: () => ToolResponse.text('7'),
  })
  createTool({
    metadata: { name: 'a', outputSchema },
    // @ts-expect-error nor has it at the end of a promise
    handler: async () => ToolResponse.text('7'),
  })
  const results = [ToolResponse.structured({ sum: 7 }), ToolResponse.error('no')]
  createTool({ metadata: { name: 'a', outputSchema }, handler: () => ToolResponse.error('no') })
  createTool({
    metadata: { name: 'a', outputSchema },
    handler: () => ToolResponse.structured({ sum: 7 }),
  })
  createTool({
    metadata: { name: 'a', outputSchema: { type: 'object' } },
    // @ts-expect-error an open schema promises a value as well
    handler: () => ToolResponse.text('7'),
  })
  expect(results).toHaveLength(2)
})

it('types the answer of elicit', () => {
  createTool({
    metadata: { name: 'a' },
    handler: async (_, { elicit }) => {
      const answer = await elicit('Sure?', z.object({ sure: z.boolean() }))
      if (answer.action === 'accept')
        expectTypeOf(answer.content).toEqualTypeOf<{ sure: boolean }>()
      else expectTypeOf(answer.content).toEqualTypeOf<undefined>()
      const plain = await elicit('Size?', {
        type: 'object',
        properties: { size: { enum: ['s', 'm'] } },
        required: ['size'],
      })
      if (plain.action === 'accept')
        expectTypeOf(plain.content).toEqualTypeOf<{ size: 's' | 'm' }>()
      return ''
    },
  })
})
