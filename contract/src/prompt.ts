/**
 * Prompts in the component contract.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
import type { Content, Icon } from './tool.ts'

/** What a client is shown of an argument; its value is always a text. */
export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required?: boolean
}

/** A prompt as `GET /` of its component publishes it. */
export interface PromptDescription {
  /** 1 to 128 characters of `[A-Za-z0-9_.-]`. */
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
  icons?: Icon[]
  _meta?: Record<string, unknown>
}

/** What `POST /prompts/{name}` answers. */
export interface PromptResult {
  description?: string
  messages: { role: 'user' | 'assistant'; content: Content }[]
  _meta?: Record<string, unknown>
}
