/** What a page shows of a conversation. */
import type { ChatArtifact, ChatError, ChatStatus } from './chat-lines.ts'

/** A tool at work. */
export interface ChatCall extends ChatStatus {
  /** It has ended, well or not. */
  done: boolean
}

export interface ChatMessage {
  id: string
  role: 'user' | 'assistant'
  content: string
  /** `broken`: the connection was lost; `failed`: the state's `error` says why. */
  state: 'streaming' | 'done' | 'failed' | 'broken' | 'cancelled'
  artifacts: ChatArtifact[]
  /** In the order in which they began. */
  calls: ChatCall[]
}

/** Plain data, so that it can be stored; never changed, but replaced. */
export interface ChatState {
  messages: ChatMessage[]
  conversationId?: string
  /** What is going on just now: one line, which the next replaces. */
  status?: ChatStatus
  /** Of all messages. */
  artifacts: ChatArtifact[]
  error?: ChatError
  busy: boolean
}
