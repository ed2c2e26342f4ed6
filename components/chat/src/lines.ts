/** The lines of an answer. Each has an id of its own and the time it was made. */
import type { Platform } from 'ftl-platform'

/** What is going on: who shows it may choose an icon by it. */
export type Step =
  | 'initializing'
  | 'model'
  | 'graph'
  | 'tools'
  | 'tool'
  | 'progress'
  | 'response'
  | 'artifacts'
  | 'waiting'

/** One line for a person, which replaces the one before. */
export interface Status {
  step: Step
  message: string
  /** The tool's own name. */
  tool?: string
  /** The call it is about: tools of one turn run side by side. */
  callId?: string
  /** The job behind the call: `GET` and `DELETE /jobs/{id}`. */
  jobId?: string
  progress?: number
  total?: number
  /** The call has ended, well or not. */
  done?: true
}

/** Something a tool made. */
export interface Artifact {
  /** Unique in this answer. */
  id: string
  type: 'image' | 'audio' | 'resource' | 'link'
  title: string
  mimeType: string
  /** Relative to the address of the chat, `data:`, or wherever the tool says it is. */
  url: string
  tool: string
  jobId?: string
  /** What the tool was called with. */
  arguments?: Record<string, unknown>
}

export interface CalledTool {
  tool: string
  arguments: Record<string, unknown>
  isError: boolean
  jobId?: string
}

/** The whole answer, in the last line. */
export interface ChatResponse {
  conversationId: string
  /** All `content` lines together. */
  content: string
  artifacts: Artifact[]
  toolCalls: CalledTool[]
  model: string
  /** How often the model was asked. */
  steps: number
}

export interface ChatError {
  code: string
  message: string
  field?: string
}

interface Head {
  id: string
  /** ISO 8601. */
  timestamp: string
}

/** `result` and `error` are last, and there is exactly one of them. */
export type ChatLine = Head &
  (
    | ({ type: 'status' } & Status)
    | { type: 'content'; content: string }
    | { type: 'artifact'; artifact: Artifact }
    | { type: 'result'; response: ChatResponse }
    | ({ type: 'error' } & ChatError)
  )

export interface Lines {
  status(status: Status): ChatLine
  content(content: string): ChatLine
  artifact(artifact: Artifact): ChatLine
  result(response: ChatResponse): ChatLine
  error(error: ChatError): ChatLine
}

/** The lines of one answer. */
export function createLines(platform: Pick<Platform, 'now' | 'randomUUID'>): Lines {
  // One call of the host an answer, and not one a line: a host call costs as much as a hundred lines.
  let prefix: string | undefined
  let count = 0
  const head = (): Head => {
    prefix ??= platform.randomUUID()
    return { id: `${prefix}-${++count}`, timestamp: new Date(platform.now()).toISOString() }
  }
  return {
    status: (status) => ({ type: 'status', ...head(), ...status }),
    content: (content) => ({ type: 'content', ...head(), content }),
    artifact: (artifact) => ({ type: 'artifact', ...head(), artifact }),
    result: (response) => ({ type: 'result', ...head(), response }),
    error: (error) => ({ type: 'error', ...head(), ...error }),
  }
}
