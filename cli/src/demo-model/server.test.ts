// Tests the scripted model with OpenAI's official client, which must be able to read all its responses.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importOpenAI, type OpenAI } from '../../../test/judges/openai.ts'
import { type DemoModel, type DemoModelOptions, startDemoModel } from './server.ts'

let OpenAI: OpenAI['default']
beforeAll(async () => void (OpenAI = await importOpenAI()))

let models: DemoModel[] = []
beforeEach(() => void (models = []))
afterEach(() => Promise.all(models.map((model) => model.close())))

async function start(options: DemoModelOptions = {}) {
  const model = await startDemoModel(options)
  models.push(model)
  const openai = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: 'sk-x', maxRetries: 0 })
  return { model, openai }
}

const QUESTION = { model: 'demo', messages: [{ role: 'user' as const, content: 'what is 6*7?' }] }
const TOOLS = [{ type: 'function' as const, function: { name: 'calculator', parameters: {} } }]

describe('to OpenAI’s own client', () => {
  it('streams words', async () => {
    const { openai } = await start({ script: [{ turns: [{ content: 'Six by seven 🎨.' }] }] })
    const stream = openai.chat.completions.stream(QUESTION)
    let pieces = 0
    for await (const { choices } of stream) if (choices[0]?.delta.content) pieces++
    expect(pieces).toBe(4)
    expect(await stream.finalContent()).toBe('Six by seven 🎨.')
  })

  it('streams calls, their arguments in pieces', async () => {
    const { openai } = await start()
    const stream = openai.chat.completions.stream({ ...QUESTION, tools: TOOLS })
    const { tool_calls: calls } = await stream.finalMessage()
    expect(calls).toMatchObject([
      { type: 'function', function: { name: 'calculator', arguments: '{"expression":"6*7"}' } },
    ])
    const { choices } = await stream.finalChatCompletion()
    expect(choices[0]?.finish_reason).toBe('tool_calls')
  })

  it('answers with one document, and lists its models', async () => {
    const { openai } = await start({ whole: true, script: [{ turns: [{ content: 'Whole.' }] }] })
    const { choices } = await openai.chat.completions.create(QUESTION)
    expect(choices[0]?.message.content).toBe('Whole.')
    const { data } = await openai.models.list()
    expect(data.map(({ id }) => id)).toEqual(['demo'])
  })

  it('refuses a wrong key, and fails a request when the script says so', async () => {
    const { openai } = await start({ key: 'another' })
    await expect(openai.chat.completions.create(QUESTION)).rejects.toThrow(
      OpenAI.AuthenticationError,
    )
    const { openai: failing } = await start({ script: [{ turns: [{ fail: { status: 500 } }] }] })
    await expect(failing.chat.completions.create(QUESTION)).rejects.toThrow(
      OpenAI.InternalServerError,
    )
  })
})

it('sees who leaves', async () => {
  const content = 'word '.repeat(1_000)
  const { openai, model } = await start({ wordDelayMs: 5, script: [{ turns: [{ content }] }] })
  const stream = openai.chat.completions.stream(QUESTION)
  await stream[Symbol.asyncIterator]().next()
  stream.abort()
  await expect.poll(() => model.requests[0]?.left).toBe(true)
})
