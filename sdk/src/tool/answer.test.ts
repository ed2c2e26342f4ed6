import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { memoryPlatform } from 'ftl-platform/memory'
import { createTool, type Tool, ToolResponse } from '../index.ts'
import { toComponent } from '../serve/component.ts'

const outputSchema = z.object({ grams: z.number() })

/** A tool without types, as one in JavaScript is. */
const returning = (answer: unknown, metadata: object = {}) =>
  createTool({ metadata: { name: 'a', ...metadata }, handler: () => answer as string })

async function ask(tool: Tool) {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const request = new Request('http://a.spin.internal/', { method: 'POST', body: '{}' })
  const response = await toComponent({ tool }, 'a').fetch(request, memoryPlatform())
  const logged = log.mock.calls.join()
  log.mockRestore()
  return { status: response.status, body: (await response.json()) as unknown, logged }
}
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

describe('what a handler may return', () => {
  it.each<[string, unknown, object]>([
    ['a string', 'hello', text('hello')],
    ['nothing', undefined, { content: [] }],
    ['null', null, { content: [] }],
    ['an object', { grams: 5 }, { ...text('{"grams":5}'), structuredContent: { grams: 5 } }],
    [
      'an object with a word of ours',
      { job: 'baker' },
      { ...text('{"job":"baker"}'), structuredContent: { job: 'baker' } },
    ],
    [
      'an object with content of its own',
      { content: ['a'] },
      { ...text('{"content":["a"]}'), structuredContent: { content: ['a'] } },
    ],
    ['a result', ToolResponse.error('no'), { ...text('no'), isError: true }],
    [
      'content of a type of its own',
      { content: [{ type: 'custom/chart', data: [1], metadata: { chartType: 'bar' } }] },
      { content: [{ type: 'custom/chart', data: [1], metadata: { chartType: 'bar' } }] },
    ],
  ])('%s', async (_, answer, result) => {
    expect(await ask(returning(answer))).toMatchObject({ status: 200, body: result })
  })

  it('an object that fits the outputSchema', async () => {
    const { body } = await ask(returning({ grams: 5 }, { outputSchema }))
    expect(body).toEqual({ ...text('{"grams":5}'), structuredContent: { grams: 5 } })
  })

  it.each([ToolResponse.error('none left'), ToolResponse.structured({ grams: 1 }, 'one')])(
    'a result that keeps the promise, or an error: %j',
    async (result) => {
      expect(await ask(returning(result, { outputSchema }))).toMatchObject({ body: result })
    },
  )
})

const circular: { self?: unknown } = {}
circular.self = circular

describe('what it may not return, with what to do in the log and nothing to the caller', () => {
  it.each<[string, unknown, object, RegExp]>([
    ['a number', 5, {}, /tool "a" returned a number\. Return a string/],
    ['a function', () => 1, {}, /returned a function/],
    ['a BigInt', 5n, {}, /returned a bigint/],
    ['a list', [1], {}, /returned an array/],
    ['a Response', new Response('soup'), {}, /returned a Response\. Return a string/],
    ['a Map', new Map([['a', 1]]), {}, /returned a Map/],
    ['a Date', new Date(0), {}, /returned a Date/],
    ['a circle', circular, {}, /cannot be written as JSON .*Leave out what is circular/s],
    ['a BigInt inside', { grams: 5n }, {}, /cannot be written as JSON .*BigInt/s],
    [
      'a string for a promise',
      'five',
      { outputSchema },
      /returned a string, but promises an outputSchema\. Return the object/,
    ],
    ['nothing for a promise', undefined, { outputSchema }, /returned nothing, but promises/],
    [
      'text for a promise',
      ToolResponse.text('five'),
      { outputSchema },
      /a result without structuredContent/,
    ],
    [
      'an object that breaks it',
      { grams: 'five' },
      { outputSchema },
      /does not match its outputSchema.*grams: .*number/s,
    ],
    [
      'an object that breaks plain JSON Schema',
      { a: 1 },
      { outputSchema: { type: 'object', required: ['b'] } },
      /does not match its outputSchema.*b: is required/s,
    ],
    [
      'structured content that breaks it',
      ToolResponse.structured({ grams: 'five' }),
      { outputSchema },
      /does not match its outputSchema/,
    ],
  ])('%s', async (_, answer, metadata, logged) => {
    const asked = await ask(returning(answer, metadata))
    expect(asked.status).toBe(500)
    expect(asked.logged).toMatch(logged)
    expect(JSON.stringify(asked.body)).toContain('internal error')
  })
})

describe('ToolResponse', () => {
  it('takes annotations and _meta with any content', () => {
    const options = { annotations: { priority: 1 }, _meta: { a: 1 } }
    const made = [
      ToolResponse.text('a', options),
      ToolResponse.image('AQ==', 'image/png', options),
      ToolResponse.audio(new Uint8Array([1]), 'audio/wav', options),
      ToolResponse.resource({ uri: 'a:b', blob: new Uint8Array([1]) }, options),
      ToolResponse.resourceLink({ uri: 'a:b', name: 'b', ...options }),
    ]
    for (const { content } of made) expect(content[0]).toMatchObject(options)
    expect(made[2]?.content[0]).toMatchObject({ data: 'AQ==' })
    expect(made[3]?.content[0]).toMatchObject({ resource: { blob: 'AQ==' } })
  })

  it('puts several pieces together, and makes content of a custom type', () => {
    const chart = ToolResponse.custom('custom/chart', { data: [1] })
    expect(ToolResponse.content('Look:', chart, { type: 'text', text: 'b' })).toEqual({
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'custom/chart', data: [1] },
        { type: 'text', text: 'b' },
      ],
    })
  })

  it('streams a function that yields results, the last of which is the result', async () => {
    const tool = createTool({
      metadata: { name: 'a' },
      handler: () =>
        ToolResponse.stream(async function* () {
          yield ToolResponse.text('Processing...')
          yield ToolResponse.text('Complete!')
        }),
    })
    expect((await ask(tool)).body).toEqual(text('Complete!'))
    const request = new Request('http://a.spin.internal/', {
      method: 'POST',
      headers: { accept: 'application/x-ndjson' },
    })
    const lines = await (await toComponent({ tool }, 'a').fetch(request, memoryPlatform())).text()
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { type: 'status', message: 'Processing...' },
      { type: 'status', message: 'Complete!' },
      { type: 'result', result: text('Complete!') },
    ])
  })
})
