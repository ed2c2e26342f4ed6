import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createTool, ToolResponse } from '../index.ts'
import { testTool, textOf } from '../testing/index.ts'

const OPTIONS = { clientCapabilities: { elicitation: { form: {} } } }
const accept = (content: object) => ({ action: 'accept', content })

const remove = createTool({
  metadata: { name: 'remove', inputSchema: z.object({ city: z.string() }) },
  handler: async ({ city }, { elicit }) => {
    const { content } = await elicit(`Delete ${city}?`, z.object({ sure: z.boolean() }))
    return content?.sure ? `Deleted ${city}` : 'Nothing was deleted'
  },
})

describe('elicit', () => {
  it('asks by the schema, and goes on with an answer that fits it', async () => {
    const t = testTool(remove, OPTIONS)
    const asked: unknown[] = []
    const result = await t.call(
      { city: 'Oslo' },
      {
        answers: (questions) => {
          asked.push(questions)
          return { answer: accept({ sure: true }) }
        },
      },
    )
    expect(textOf(result)).toBe('Deleted Oslo')
    expect(asked).toMatchObject([
      {
        answer: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Delete Oslo?',
            requestedSchema: {
              type: 'object',
              properties: { sure: { type: 'boolean' } },
              required: ['sure'],
            },
          },
        },
      },
    ])
  })

  it.each(['decline', 'cancel'])('returns that the user chose %s', async (action) => {
    const result = await testTool(remove, OPTIONS).call(
      { city: 'Oslo' },
      { answers: { answer: { action } } },
    )
    expect(textOf(result)).toBe('Nothing was deleted')
  })

  it.each([
    accept({ sure: 'yes' }),
    accept({}),
    { action: 'accept' },
    { action: 'accept', content: null },
    { action: 'perhaps' },
    'yes',
    null,
    7,
  ])('does not hand on an answer of the client that does not fit: %j', async (answer) => {
    const result = await testTool(remove, OPTIONS).call({ city: 'Oslo' }, { answers: { answer } })
    expect(result.isError).toBe(true)
  })

  it('keeps the first answer while the second question is asked', async () => {
    const book = createTool({
      metadata: { name: 'book' },
      handler: async (_, { elicit }) => {
        const day = await elicit('Which day?', z.object({ day: z.string() }))
        const time = await elicit('When?', z.object({ hour: z.int() }))
        return `${day.content?.day} at ${time.content?.hour}`
      },
    })
    const rounds: string[][] = []
    const all = { answer: accept({ day: 'Monday' }), answer2: accept({ hour: 7 }) }
    const result = await testTool(book, OPTIONS).call(
      {},
      {
        answers: (questions) => {
          rounds.push(Object.keys(questions))
          return Object.fromEntries(Object.entries(all).filter(([key]) => key in questions))
        },
      },
    )
    expect(textOf(result)).toBe('Monday at 7')
    expect(rounds).toEqual([['answer'], ['answer2']])
  })

  it('asks questions of one moment together', async () => {
    const both = createTool({
      metadata: { name: 'both' },
      handler: async (_, { elicit }) => {
        const ask = (message: string) => elicit(message, z.object({ text: z.string() }))
        const answers = await Promise.all([ask('One?'), ask('Two?')])
        return answers.map(({ content }) => content?.text).join()
      },
    })
    let rounds = 0
    const answers = { answer: accept({ text: 'a' }), answer2: accept({ text: 'b' }) }
    const result = await testTool(both, OPTIONS).call({}, { answers: () => (rounds++, answers) })
    expect([textOf(result), rounds]).toEqual(['a,b', 1])
  })

  it('asks although the handler caught the error that ends its run', async () => {
    const careful = createTool({
      metadata: { name: 'careful' },
      handler: async (_, { elicit }) => {
        try {
          const { content } = await elicit('Sure?', z.object({ sure: z.boolean() }))
          return String(content?.sure)
        } catch (error) {
          return ToolResponse.error(String(error))
        }
      },
    })
    const answers = { answer: accept({ sure: true }) }
    expect(textOf(await testTool(careful, OPTIONS).call({}, { answers }))).toBe('true')
  })

  it('asks in the middle of a generator, after lines', async () => {
    const t = testTool(
      createTool({
        metadata: { name: 'lines' },
        handler: async function* (_, { elicit }) {
          yield { message: 'looking' }
          const { content } = await elicit('Sure?', z.object({ sure: z.boolean() }))
          return String(content?.sure)
        },
      }),
      OPTIONS,
    )
    const answers = { answer: accept({ sure: true }) }
    expect(textOf(await t.call({}, { answers }))).toBe('true')
  })

  it('refuses a form that no client can show, with the field', async () => {
    const nested = createTool({
      metadata: { name: 'nested' },
      handler: async (_, { elicit }) => {
        await elicit('Where?', z.object({ at: z.object({ x: z.number() }) }))
        return ''
      },
    })
    await expect(testTool(nested, OPTIONS).call()).rejects.toThrow(/field "at" must be/)
  })

  it.each(['{', 'null', '{"answers":[]}', '{"answers":{"__proto__":1}}', '[]'])(
    'reads the state %s of another round without failing',
    async (state) => {
      const t = testTool(remove, OPTIONS)
      const body = { arguments: { city: 'Oslo' }, inputResponses: {}, requestState: state }
      const headers = { 'content-type': 'application/vnd.ftl.call+json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const { testComponent } = await import('../testing/index.ts')
      const response = await testComponent({ tool: remove }).fetch('/remove', init)
      expect(await response.json()).toMatchObject({ resultType: 'input_required' })
      expect(t.requests).toEqual([])
    },
  )
})

describe('a ToolError after the first update', () => {
  it.each([true, false])(
    'is a result with its data, whether the client listens: %s',
    async (listens) => {
      const { ToolError } = await import('../index.ts')
      const failing = createTool({
        metadata: { name: 'failing' },
        handler: async (_, { log, progress }) => {
          log.info('begun')
          progress(1)
          await new Promise((resolve) => setTimeout(resolve, 1))
          throw new ToolError('no memory', { kind: 'out_of_memory' })
        },
      })
      const result = await testTool(failing, { listens, logLevel: 'debug' }).call()
      expect(result).toEqual({
        content: [{ type: 'text', text: 'no memory' }],
        isError: true,
        _meta: { kind: 'out_of_memory' },
      })
    },
  )
})
