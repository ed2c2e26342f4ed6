/**
 * A conversation with a model, counted: each request sends the list of tools and everything that was said before, as the
 * interfaces of models do.
 */
import type { Client } from '@modelcontextprotocol/client'
import { tokensOf } from '../../gateway/src/catalog/list-settings.ts'

/** Tokens that a request may have. */
const WINDOW = 200_000

export interface Figures {
  /** Requests to the model. */
  rounds: number
  /** Tokens of all requests. */
  read: number
  /** Tokens that the model wrote: calls, programs and the answer. */
  written: number
}

export interface Call {
  name: string
  arguments: object
}

/** The next request would be longer than the model's window. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

export class Conversation {
  readonly figures: Figures = { rounds: 0, read: 0, written: 0 }
  readonly #client: Client
  readonly #tools: string
  readonly #messages: object[]

  private constructor(client: Client, tools: string, prompt: string) {
    this.#client = client
    this.#tools = tools
    this.#messages = [{ role: 'user', content: prompt }]
  }

  static async begin(client: Client, prompt: string): Promise<Conversation> {
    const { tools } = await client.listTools()
    // What a model gets of a tool; the interfaces of models have no place for the rest.
    const shown = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }))
    return new Conversation(client, JSON.stringify(shown), prompt)
  }

  /** The model asks for these calls. @returns the texts of their results */
  async request(calls: Call[]): Promise<string[]> {
    this.#send()
    this.#say(calls)
    const results = await Promise.all(
      calls.map(async ({ name, arguments: args }) => {
        const called = { name, arguments: args as Record<string, unknown> }
        const { content, isError } = await this.#client.callTool(called)
        const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
        if (isError) throw new Error(`${name}: ${text}`)
        return text
      }),
    )
    for (const content of results) this.#messages.push({ role: 'tool', content })
    return results
  }

  /** The model answers the user. */
  answer(text: string): void {
    this.#send()
    this.#say(text)
  }

  #send(): void {
    const read = tokensOf(this.#tools.length + JSON.stringify(this.#messages).length)
    if (read > WINDOW) throw new TooLong()
    this.figures.rounds++
    this.figures.read += read
  }

  #say(content: Call[] | string): void {
    this.figures.written += tokensOf(JSON.stringify(content).length)
    this.#messages.push({ role: 'assistant', content })
  }
}
