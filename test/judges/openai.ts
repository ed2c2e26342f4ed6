/** What tests use of the official OpenAI client, whose package only this folder installs. */
import { importJudge } from './judge.ts'

export interface ToolCall {
  id: string
  type: string
  function: { name: string; arguments: string }
}

/** A message of any role. */
export interface Message {
  role: string
  content?: string | null
  tool_calls?: ToolCall[]
  tool_call_id?: string
}

export interface Tool {
  type: string
  function: { name: string; description?: string; parameters?: object }
}

export interface ChatRequest {
  model: string
  messages: Message[]
  tools?: Tool[]
}

interface Chunk {
  choices: { delta: { content?: string | null } }[]
}

export interface Completion {
  choices: { message: Message; finish_reason: string }[]
}

export interface ChatStream extends AsyncIterable<Chunk> {
  finalContent(): Promise<string | null>
  finalMessage(): Promise<Message>
  finalChatCompletion(): Promise<Completion>
  abort(): void
}

export interface Client {
  chat: {
    completions: {
      create(request: ChatRequest): Promise<Completion>
      stream(request: ChatRequest): ChatStream
    }
  }
  models: { list(): Promise<{ data: { id: string }[] }> }
}

export interface ClientOptions {
  baseURL: string
  apiKey: string
  maxRetries: number
}

export interface OpenAI {
  default: {
    new (options: ClientOptions): Client
    AuthenticationError: new (...args: never[]) => Error
    InternalServerError: new (...args: never[]) => Error
  }
}

/** @throws {Error} that says what to run, if the package is not installed. */
export const importOpenAI = async (): Promise<OpenAI['default']> =>
  (await importJudge<OpenAI>('openai')).default
