/** The request of a chat client, after validation. */
import type { Resumed } from './read-continuation.ts'

export interface HistoryMessage {
  role: 'user' | 'assistant'
  content: string
}

/** Something the user has pinned: it is sent to the model before everything else. */
export interface PinnedGraph {
  title: string
  /** Text; any other value is converted to JSON. */
  content: string
}

/** Converted to a form that models accept. */
export type Attachment =
  | { kind: 'text'; name: string; mimeType: string; text: string }
  /** `data` is base64. A tool takes the picture by its `url`. */
  | { kind: 'image'; name: string; mimeType: string; data: string; url?: string }
  | { kind: 'link'; name: string; mimeType: string; url: string }

export interface ChatRequest {
  message: string
  history: HistoryMessage[]
  conversationId?: string
  /** Components whose tools are not used, by their exact names. */
  blockedServers: ReadonlySet<string>
  /** Tools that may be used, by component; all tools of a component that is not listed may be used. */
  enabledTools: ReadonlyMap<string, ReadonlySet<string>>
  /** Arguments that the user has chosen, by the tool's name. */
  toolArguments: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  pinnedGraph?: PinnedGraph
  /** Not yet checked against the models that the operator allows. */
  model?: string
  /** The client asks a person to approve calls. */
  canApprove: boolean
  resumed?: Resumed
  attachments: Attachment[]
}
