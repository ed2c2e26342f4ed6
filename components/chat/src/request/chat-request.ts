/**
 * What a client asks.
 *
 * @module
 */

export interface HistoryMessage {
  role: 'user' | 'assistant'
  content: string
}

/** Something the user has pinned: it is told to the model before everything else. */
export interface PinnedGraph {
  title: string
  /** Text; anything else that was sent, as JSON. */
  content: string
}

/** As a model can take it. */
export type Attachment =
  | { kind: 'text'; name: string; mimeType: string; text: string }
  /** `data` is base64. */
  | { kind: 'image'; name: string; mimeType: string; data: string }
  | { kind: 'link'; name: string; mimeType: string; url: string }

export interface ChatRequest {
  message: string
  history: HistoryMessage[]
  conversationId?: string
  /** Components whose tools are not used, by their exact names. */
  blockedServers: ReadonlySet<string>
  /** The only tools of a component that are used; of a component that is not named, all. */
  enabledTools: ReadonlyMap<string, ReadonlySet<string>>
  pinnedGraph?: PinnedGraph
  attachments: Attachment[]
}
