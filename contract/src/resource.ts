/**
 * Resources and resource templates in the component contract.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
import type { Icon } from './tool.ts'

interface ResourceBase {
  name: string
  title?: string
  description?: string
  mimeType?: string
  annotations?: { audience?: ('user' | 'assistant')[]; priority?: number; lastModified?: string }
  icons?: Icon[]
  _meta?: Record<string, unknown>
}

/** A resource as `GET /` of its component publishes it. */
export interface ResourceDescription extends ResourceBase {
  /** With a scheme; the first component to publish a uri serves it. */
  uri: string
  /** Bytes. */
  size?: number
}

/** What a client is shown of resources whose address has variables. */
export interface ResourceTemplateDescription extends ResourceBase {
  /** RFC 6570, for example `weather://{city}/now`. @see https://www.rfc-editor.org/rfc/rfc6570 */
  uriTemplate: string
}

/** What `GET /resources?uri=` answers. */
export interface ResourceResult {
  /** Each with `text`, or `blob` in base64; at least one. */
  contents: {
    uri: string
    mimeType?: string
    text?: string
    blob?: string
    /** Such as the policy of an MCP App. */
    _meta?: Record<string, unknown>
  }[]
  /** Milliseconds a client may keep it. @default 0 */
  ttlMs?: number
  /** Whether others may be given the kept copy. @default 'private' */
  cacheScope?: 'public' | 'private'
  _meta?: Record<string, unknown>
}
