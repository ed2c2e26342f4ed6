/**
 * The contract of the chat: what is sent to `POST /api/chat`, and the lines that it answers with. The component `chat`
 * produces these lines and imports the same types.
 */

export interface ChatRequest {
  message: string
  history?: { role: 'user' | 'assistant'; content: string }[]
  conversationId?: string
  /** Components whose tools are not used, by their exact names. */
  blockedServers?: string[]
  /** The tools of a component that the model may use. A component that is not listed keeps all of its tools. */
  enabledTools?: Record<string, string[]>
  /** Reference data, or an artifact as the chat sent it. The model gets the content of a text, and a description of any other type. */
  pinnedGraph?: { id?: string; title?: string; type?: string; content: unknown } | ChatArtifact
  /** Arguments that the user has chosen, by the tool's name. They replace those of the model in each call of the tool. */
  toolArguments?: Record<string, Record<string, unknown>>
  /** Only a model that the operator allows (`llm_models`). @default the operator's `llm_model` */
  model?: string
  /** One of `text`, `data` (base64) and `url`. */
  attachments?: { name: string; mimeType: string; text?: string; data?: string; url?: string }[]
  /** The client asks a person to approve calls. @default false: the model receives the refusal */
  canApprove?: boolean
  /** Of a response with `approvals`: the answer goes on there. The other fields are sent again as they were. */
  continuation?: ChatContinuation
  /** By the call's id: the token of its approval, or `null` if the person declined it. */
  decisions?: Record<string, string | null>
}

/** A tool call that runs only after a person has approved it. */
export interface ChatApproval {
  callId: string
  tool: string
  component: string
  /** The approval is valid for exactly these. */
  arguments: Record<string, unknown>
  /** Approves this one call. Never show it to a model. */
  token: string
  /** ISO 8601. */
  expiresAt: string
}

/** The turns of an answer that waits for approvals. */
export interface ChatContinuation {
  steps: {
    content: string
    calls: { id: string; name: string; arguments: string }[]
    /** What the model receives as the result of a call, by the call's id. */
    results: { id: string; content: string }[]
  }[]
  /** Number of artifacts so far. */
  artifacts: number
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
  | 'approval'

/** The current activity, in one line of text that replaces the previous one. */
export interface ChatStatus {
  message: string
  /** A page may choose an icon by it. */
  step: ChatStep
  /** The tool's own name. */
  tool?: string
  /** The call that the status belongs to: the tools of one turn run in parallel. */
  callId?: string
  /** The job behind the call: `DELETE /jobs/{id}` cancels it, `GET /jobs/{id}` returns its record. */
  jobId?: string
  progress?: number
  total?: number
  /** The call has ended, successfully or not. */
  done?: boolean
}

/** Something that a tool created. */
export interface ChatArtifact {
  /** Unique within one answer. */
  id: string
  type: 'image' | 'audio' | 'resource' | 'link'
  title: string
  mimeType: string
  /** Relative to the URL of the chat, a `data:` URL, or any other URL that the tool returned. */
  url: string
  tool: string
  jobId?: string
  /** Arguments of the tool call. */
  arguments?: Record<string, unknown>
}

/** A tool call that has ended. */
export interface ChatToolCall {
  tool: string
  arguments: Record<string, unknown>
  isError: boolean
  jobId?: string
  /** That of the status lines. */
  callId?: string
  /** What the model received: the first 4,000 characters. */
  result?: string
}

/**
 * Why an answer is not a complete one. `length`: it reached the limit of the model. `refusal`: the model refused, and
 * `content` is its refusal. `filter`: the model's server withheld the answer or the rest of it.
 */
export type ChatEnding = 'length' | 'refusal' | 'filter'

/** The complete answer. */
export interface ChatResponse {
  conversationId: string
  /** The concatenation of all `content` lines. */
  content: string
  /** The same text as `content`, under the name that clients of the streaming plan read. */
  conversation?: string
  artifacts: ChatArtifact[]
  toolCalls: ChatToolCall[]
  model: string
  /** Number of requests to the model. */
  steps: number
  /** @default the answer is complete */
  ending?: ChatEnding
  /** The answer waits for a person to decide on these calls. `artifacts` and `toolCalls` are those since the last wait. */
  approvals?: ChatApproval[]
  continuation?: ChatContinuation
}

/** Why there is no answer. */
export interface ChatError {
  code: string
  message: string
  /** The field of the request that the server rejected. */
  field?: string
}

interface Head {
  id: string
  /** ISO 8601. */
  timestamp: string
}

/** A line that is not the last. */
export type ChatLine = Head &
  (
    | ({ type: 'status' } & ChatStatus)
    | { type: 'content'; content: string }
    | { type: 'artifact'; artifact: ChatArtifact }
  )

/** The last line; every answer has exactly one. */
export type ChatLastLine = Head &
  ({ type: 'result'; response: ChatResponse } | ({ type: 'error' } & ChatError))
