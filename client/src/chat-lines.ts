/** What is sent to `POST /api/chat`, and the lines it answers with. */

export interface ChatRequest {
  message: string
  history?: { role: 'user' | 'assistant'; content: string }[]
  conversationId?: string
  /** Components whose tools are not used, by their exact names. */
  blockedServers?: string[]
  /** The only tools of a component that are used; of a component that is not named, all. */
  enabledTools?: Record<string, string[]>
  pinnedGraph?: { id?: string; title?: string; type?: string; content: unknown }
  /** One of `text`, `data` (base64) and `url`. */
  attachments?: { name: string; mimeType: string; text?: string; data?: string; url?: string }[]
}

export type ChatStep =
  | 'initializing'
  | 'model'
  | 'graph'
  | 'tools'
  | 'tool'
  | 'progress'
  | 'response'
  | 'artifacts'
  | 'waiting'

/** What is going on; each replaces the one before. */
export interface ChatStatus {
  message: string
  step: ChatStep
  tool?: string
  callId?: string
  /** `DELETE /jobs/{id}` cancels it, `GET /jobs/{id}` finds it again. */
  jobId?: string
  progress?: number
  total?: number
  /** The call has ended, well or not. */
  done?: boolean
}

/** Something a tool made. */
export interface ChatArtifact {
  /** Unique within one answer. */
  id: string
  type: 'image' | 'audio' | 'resource' | 'link'
  title: string
  mimeType: string
  url: string
  tool: string
  jobId?: string
  arguments?: Record<string, unknown>
}

export interface ChatResponse {
  conversationId: string
  content: string
  artifacts: ChatArtifact[]
  toolCalls: {
    tool: string
    arguments: Record<string, unknown>
    isError: boolean
    jobId?: string
  }[]
  model: string
  /** How often the model was asked. */
  steps: number
}

/** A line that is not the last. */
export type ChatLine = { id: string; timestamp: string } & (
  | ({ type: 'status' } & ChatStatus)
  | { type: 'content'; content: string }
  | { type: 'artifact'; artifact: ChatArtifact }
)
