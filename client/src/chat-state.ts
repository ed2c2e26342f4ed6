/** What a page shows of a conversation. */
import type { ChatArtifact, ChatEnding, ChatError, ChatStatus } from './chat-lines.ts'

/** A tool call of an answer. */
export interface ChatCall extends ChatStatus {
  /** The call has ended, successfully or not. */
  done: boolean
}

/** A message of the user, or the answer to it. */
export interface ChatMessage<Data = unknown> {
  id: string
  role: 'user' | 'assistant'
  content: string
  /** `broken`: the connection was lost. */
  state: 'streaming' | 'done' | 'failed' | 'broken' | 'cancelled'
  /** Why the answer is not a complete one, although it did not fail. */
  ending?: ChatEnding
  /** Why the answer failed or broke off. */
  error?: ChatError
  artifacts: ChatArtifact[]
  /** In the order in which they began. */
  calls: ChatCall[]
  /** The page's own data about the message, for example the names of attached files. Must be JSON if it is stored. */
  data?: Data
}

/** Plain data, so that it can be stored; never changed, but replaced. */
export interface ChatState<Data = unknown> {
  messages: ChatMessage<Data>[]
  conversationId?: string
  /** The current activity: one line, which the next replaces. */
  status?: ChatStatus
  /** Of all messages. */
  artifacts: ChatArtifact[]
  error?: ChatError
  /** Whether an answer is being received. */
  busy: boolean
}
