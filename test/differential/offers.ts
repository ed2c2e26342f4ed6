/** What both servers offer, written once: the component in memory and the official SDK's server give the same. */
import type { ToolDescription, ToolResult } from 'ftl-contract'

type Arguments = Readonly<Record<string, unknown>>

/** A tool that answers at once. */
export interface PlainTool {
  description: ToolDescription
  run: (args: Arguments) => ToolResult
}

/** With `properties`, as the gateway publishes it in any case. */
const NO_ARGUMENTS = { type: 'object', properties: {} } as const
const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }

export const PLAIN_TOOLS: readonly PlainTool[] = [
  {
    description: {
      name: 'echo',
      title: 'Echo',
      description: 'Says it again',
      inputSchema: { type: 'object', properties: { message: TEXT }, required: ['message'] },
      annotations: { readOnlyHint: true },
    },
    run: ({ message }) => text(String(message)),
  },
  {
    description: {
      name: 'add',
      description: 'Adds two numbers',
      inputSchema: {
        type: 'object',
        properties: { a: NUMBER, b: NUMBER },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      outputSchema: { type: 'object', properties: { sum: NUMBER }, required: ['sum'] },
    },
    run: ({ a, b }) => {
      const structuredContent = { sum: Number(a) + Number(b) }
      return { ...text(JSON.stringify(structuredContent)), structuredContent }
    },
  },
  {
    description: { name: 'fails', description: 'Fails', inputSchema: NO_ARGUMENTS },
    run: () => ({ ...text('it failed'), isError: true }),
  },
  {
    description: {
      name: 'region',
      description: 'Wants its arguments in headers, too',
      inputSchema: {
        type: 'object',
        properties: {
          region: { ...TEXT, 'x-mcp-header': 'Region' },
          level: { type: 'integer', 'x-mcp-header': 'Level' },
          deep: { type: 'boolean', 'x-mcp-header': 'Deep' },
        },
      },
    },
    run: (args) => text(JSON.stringify(args)),
  },
]

/** Sends progress and a log message, then answers. */
export const WORKING_TOOL: ToolDescription = {
  name: 'slow',
  description: 'Takes its time and says how far it is',
  inputSchema: NO_ARGUMENTS,
}

export const PROGRESS = [
  { progress: 1, total: 2, message: 'half' },
  { progress: 2, total: 2, message: 'done' },
]
export const LOG = { level: 'info', data: 'working', logger: 'slow' } as const

/** Asks the client for a name, and greets it when the call comes again with the answer. */
export const ASKING_TOOL: ToolDescription = {
  name: 'asks',
  description: 'Asks who it is',
  inputSchema: NO_ARGUMENTS,
}

export const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { name: TEXT }, required: ['name'] },
  },
} as const

export function greeting(inputResponses: unknown): ToolResult | undefined {
  const { who } = (inputResponses ?? {}) as { who?: { content?: { name?: string } } }
  return who?.content?.name === undefined ? undefined : text(`Hello, ${who.content.name}!`)
}

export const PROMPT = {
  name: 'greet',
  description: 'A greeting',
  arguments: [{ name: 'name', description: 'Whom', required: true }],
}

export function promptMessages({ name }: Arguments) {
  const content = { type: 'text' as const, text: `Greet ${String(name)}` }
  return { description: PROMPT.description, messages: [{ role: 'user' as const, content }] }
}

const NAMES = ['Ada', 'Alan', 'Grace']

export const RESOURCE = {
  uri: 'test://static',
  name: 'static',
  description: 'A text',
  mimeType: 'text/plain',
}
export const TEMPLATE = {
  uriTemplate: 'test://items/{id}',
  name: 'item',
  description: 'An item',
  mimeType: 'text/plain',
}

export function contentsOf(uri: string) {
  return { contents: [{ uri, mimeType: 'text/plain', text: `This is ${uri}` }] }
}

export function startingWith(value: string): string[] {
  return NAMES.filter((name) => name.startsWith(value))
}

export function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }] }
}
