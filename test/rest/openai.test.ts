// The official OpenAI client runs a loop of tool calls: the model is scripted, the tools are real.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatRequest, importOpenAI, type Message, type Tool } from '../judges/openai.ts'
import { ask, posting, useApplication } from './application.ts'

const application = useApplication()

/** @see https://platform.openai.com/docs/api-reference/chat/create */
const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/

let server: Server
let requests: ChatRequest[] = []
let turns: ((request: ChatRequest) => object)[] = []
beforeAll(async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await textOf(request)) as ChatRequest
    requests.push(body)
    const problem = problemOf(body)
    const turn = turns.shift()
    response.writeHead(problem ? 400 : 200, { 'content-type': 'application/json' })
    const message = problem ? undefined : turn?.(body)
    response.end(
      JSON.stringify(
        problem
          ? { error: { message: problem, type: 'invalid_request_error' } }
          : {
              id: 'chatcmpl-1',
              object: 'chat.completion',
              created: 1,
              model: 'scripted',
              choices: [
                { index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } },
              ],
            },
      ),
    )
  }
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** What the real interface refuses. */
function problemOf({ messages, tools = [] }: ChatRequest): string | undefined {
  const odd = tools.find(
    (tool) => tool.type !== 'function' || !FUNCTION_NAME.test(tool.function.name),
  )
  if (odd) return `Invalid tool: ${JSON.stringify(odd)}`
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || !message.tool_calls) continue
    const wanted = message.tool_calls.map(({ id }) => id)
    const answered = messages
      .slice(index + 1, index + 1 + wanted.length)
      .map((one) =>
        one.role === 'tool' && typeof one.content === 'string' ? one.tool_call_id : '',
      )
    if (wanted.join() !== answered.join()) return 'tool_calls must be followed by tool messages'
  }
  return undefined
}

const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

/** The loop every program with tools has. */
async function converse(script: typeof turns): Promise<{ text: string; messages: Message[] }> {
  requests = []
  turns = [...script]
  const { port } = server.address() as AddressInfo
  const OpenAI = await importOpenAI()
  const openai = new OpenAI({
    apiKey: 'none',
    baseURL: `http://127.0.0.1:${port}/v1`,
    maxRetries: 0,
  })
  const { body } = await ask(`${application.url}/tools?format=openai`)
  const tools = body['tools'] as Tool[]
  const messages: Message[] = [{ role: 'user', content: 'Go on' }]
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'scripted', messages, tools })
    const message = choices[0]!.message
    messages.push(message)
    if (!message.tool_calls) return { text: message.content ?? '', messages }
    const response = await fetch(`${application.url}/invoke`, posting(message.tool_calls))
    messages.push(...((await response.json()) as Message[]))
  }
}

/** The name under which the model is offered a tool. */
function offered({ tools = [] }: ChatRequest, description: RegExp): string {
  const found = tools.find(
    (tool) => tool.type === 'function' && description.test(tool.function.description ?? ''),
  )
  return found?.type === 'function' ? found.function.name : ''
}

const toolMessages = (messages: Message[]) =>
  messages.filter((message) => message.role === 'tool') as {
    tool_call_id: string
    content: string
  }[]

describe('the official OpenAI client', () => {
  it('calls tools side by side and goes on with what they say', async () => {
    const { text, messages } = await converse([
      () => ({
        content: null,
        tool_calls: [
          call('call_sum', 'calculator', { expression: '2*(3+4)^2' }),
          call('call_echo', 'echo', { message: 'hello' }),
        ],
      }),
      ({ messages }) => ({
        content: toolMessages(messages)
          .map(({ content }) => content)
          .join(' and '),
      }),
    ])
    // 2 * 7^2.
    expect(text).toBe('98 and hello')
    expect(toolMessages(messages).map(({ tool_call_id }) => tool_call_id)).toEqual([
      'call_sum',
      'call_echo',
    ])
  })

  it('calls a tool whose own name has a dot', async () => {
    const { text } = await converse([
      (request) => ({
        content: null,
        tool_calls: [call('1', offered(request, /capitals/), { text: 'loud' })],
      }),
      ({ messages }) => ({ content: toolMessages(messages)[0]?.content }),
    ])
    expect(text).toBe('LOUD')
  })

  it('gets an error that says what was wrong, and corrects it', async () => {
    const { text, messages } = await converse([
      () => ({ content: null, tool_calls: [call('1', 'echo', { text: 'hi' })] }),
      () => ({ content: null, tool_calls: [call('2', 'echo', { message: 'hi' })] }),
      ({ messages }) => ({ content: toolMessages(messages).at(-1)?.content }),
    ])
    const { error } = JSON.parse(toolMessages(messages)[0]?.content ?? '') as {
      error: { code: string; message: string }
    }
    expect(error.code).toBe('invalid_arguments')
    expect(error.message).toContain('message')
    expect(text).toBe('hi')
  })

  it('offers the model every tool there is', async () => {
    await converse([() => ({ content: 'done' })])
    const { body } = await ask(`${application.url}/tools`)
    expect(requests[0]?.tools).toHaveLength((body['tools'] as object[]).length)
  })
})
