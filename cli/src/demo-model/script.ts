/** What a scripted model says. */

/** A tool call of a turn; arguments that are a text are sent as they are, JSON or not. */
export interface ScriptedCall {
  name: string
  arguments: object | string
  id?: string
}

/** One answer of the model. */
export interface ScriptedTurn {
  /** What it says, a word at a time. */
  content?: string
  /** What it thinks before. */
  thinking?: string
  calls?: ScriptedCall[]
  /** What it says instead of an answer; OpenAI has a place of its own for that. */
  refusal?: string
  /** Why it ends, for example `length`. @default 'stop', or 'tool_calls' */
  finish?: string
  /** What goes wrong with it. */
  fail?: Failure
}

export type Failure =
  /** Answers with a status instead; only the first `times` of such requests, if that is given. */
  | { status: number; message?: string; retryAfter?: number; times?: number }
  /** Breaks the connection after so many words. */
  | { dropAfter: number }
  /** Ends in good order after so many words, but never says that it has ended. */
  | { endAfter: number }
  /** Says an error in the middle, after so many words. */
  | { errorAfter: number; message: string }
  /** Sends what no wire has. */
  | { garbage: string }
  /** Says no more after so many words, and keeps the connection open. */
  | { hangAfter: number }

/** Turns for conversations whose last message of the user has `when` in it; the last turn is repeated. */
export interface ScriptedConversation {
  /** @default every message */
  when?: string
  turns: ScriptedTurn[]
}

/** The first conversation that fits is played. It can be written as JSON. */
export type Script = ScriptedConversation[]

/** A message as both wires have it. */
export interface WireMessage {
  role: string
  content: unknown
  tool_calls?: unknown[]
}

/** The turn that is due: as many as the model has taken since the user spoke. */
export function dueTurn(script: Script, messages: readonly WireMessage[]): ScriptedTurn {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const text = textOf(messages[asked]?.content)
  const found = script.find(({ when }) => when === undefined || text.includes(when))
  const taken = messages.slice(asked).filter(({ role }) => role === 'assistant').length
  return found?.turns[taken] ?? found?.turns.at(-1) ?? { content: 'There is no script for that.' }
}

/** The words of a message, also where it has pictures. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : ''))
    .join(' ')
}
