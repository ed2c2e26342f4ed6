/**
 * What the page and its host say to each other, as far as the page uses it.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */

/** The revision of the dialect. */
export const PROTOCOL_VERSION = '2026-01-26'

export type Arguments = Record<string, unknown>

/** A tool's result; every field may be anything, because a host may pass on what it likes. */
export interface ToolResult {
  content?: unknown
  structuredContent?: unknown
  isError?: unknown
  _meta?: unknown
}

export interface HostContext {
  /** Of this gateway's own page: the job of the call, while it runs. */
  'ftl/job'?: { job_id?: unknown }
  toolInfo?: { tool?: { name?: string } }
  theme?: string
  styles?: { variables?: Record<string, unknown> }
  displayMode?: string
  availableDisplayModes?: readonly string[]
}

/** What the host can do for the page; what it does not name it refuses. */
export interface HostCapabilities {
  openLinks?: object
  downloadFile?: object
  serverTools?: object
  serverResources?: object
  updateModelContext?: { text?: object }
}

export interface Initialized {
  hostCapabilities?: HostCapabilities
  hostContext?: HostContext
}

/** Messages of the host that are not answered, by their method. */
export interface News {
  'ui/notifications/tool-input': { arguments?: Arguments }
  'ui/notifications/tool-input-partial': { arguments?: Arguments }
  'ui/notifications/tool-result': ToolResult
  'ui/notifications/tool-cancelled': { reason?: string }
  'ui/notifications/host-context-changed': HostContext
}
