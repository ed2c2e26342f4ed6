/** The ways in which a model reaches tools. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Call, Conversation, type Figures, TooLong } from './conversation.ts'
import type { Round, Run, Task } from './task.ts'

export const WAYS = ['few', 'all', 'search', 'code'] as const
export type Way = (typeof WAYS)[number]

/** Of the gateway. */
const PATHS: Readonly<Record<Way, string>> = {
  few: '/mcp/x/office?tools=all',
  all: '/mcp?tools=all',
  search: '/mcp?tools=search',
  code: '/mcp?tools=code',
}

export interface Played extends Figures {
  /** Of the model; absent if the conversation grew longer than its window. */
  answer?: string
  /** Milliseconds in which the gateway worked. */
  ms: number
}

export async function play(url: string, way: Way, task: Task): Promise<Played> {
  const mode = { pin: '2026-07-28' }
  const client = new Client({ name: 'tasks', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url + PATHS[way])))
  const started = performance.now()
  const conversation = await Conversation.begin(client, task.prompt)
  try {
    const answer = await PLAY[way](conversation, task)
    conversation.answer(answer)
    return { ...conversation.figures, answer, ms: performance.now() - started }
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
    return { ...conversation.figures, ms: performance.now() - started }
  } finally {
    await client.close()
  }
}

const listed = (conversation: Conversation, { calls }: Task) =>
  calls(rounds(conversation, (name, args) => ({ name, arguments: args })))

const PLAY: Readonly<Record<Way, (conversation: Conversation, task: Task) => Promise<string>>> = {
  few: listed,
  all: listed,
  async search(conversation, task) {
    await find(conversation, task)
    return task.calls(
      rounds(conversation, (name, args) => ({
        name: 'use_tool',
        arguments: { name, arguments: args },
      })),
    )
  },
  async code(conversation, task) {
    await find(conversation, task)
    const run: Run = async (program) => {
      const [text = ''] = await conversation.request([
        { name: 'run_code', arguments: { code: program } },
      ])
      return valueOf(text) as never
    }
    return task.code(run)
  },
}

/** Searches for what it needs, all at once, and describes what it has found. */
async function find(conversation: Conversation, { name, needs }: Task): Promise<void> {
  const wanted = Object.entries(needs)
  const found = await conversation.request(
    wanted.map(([, query]) => ({ name: 'search_tools', arguments: { query } })),
  )
  wanted.forEach(([tool], index) => {
    const lines = found[index]?.split('\n') ?? []
    if (!lines.some((line) => line.startsWith(`${tool}:`)))
      throw new Error(`"${name}" does not find ${tool}:\n${found[index]}`)
  })
  await conversation.request([{ name: 'describe_tools', arguments: { names: Object.keys(needs) } }])
}

function rounds(conversation: Conversation, toCall: (name: string, args: object) => Call): Round {
  return async (...calls) => {
    const texts = await conversation.request(calls.map(([name, args]) => toCall(name, args)))
    return texts.map((text) => valueOf(text) as never)
  }
}

/** Text that is not JSON stays text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
