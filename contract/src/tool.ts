/**
 * What a tool component tells the gateway and what it answers: component contract, version 1.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */

/** A JSON Schema document. Clients get one with the same valid values, in a form that more of them read. */
export type JsonSchema = Record<string, unknown>

/** Hints about a tool's behaviour; clients must not trust them for security. */
export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

/** A picture a client may show beside a name. */
export interface Icon {
  /** `https:` or `data:` address. */
  src: string
  mimeType?: string
  sizes?: string[]
  theme?: 'light' | 'dark'
}

/** A tool as `GET /` of its component publishes it. */
export interface ToolDescription {
  /** 1 to 64 characters of `[A-Za-z0-9_.-]`. */
  name: string
  title?: string
  description?: string
  version?: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations?: ToolAnnotations
  icons?: Icon[]
  _meta?: Record<string, unknown>
}

interface ContentBase {
  annotations?: { audience?: ('user' | 'assistant')[]; priority?: number; lastModified?: string }
  _meta?: Record<string, unknown>
}

/** Text for the model. */
export interface TextContent extends ContentBase {
  type: 'text'
  text: string
}

/** `data` is base64. */
export interface ImageContent extends ContentBase {
  type: 'image'
  data: string
  mimeType: string
}

/** `data` is base64. */
export interface AudioContent extends ContentBase {
  type: 'audio'
  data: string
  mimeType: string
}

/** A resource inside the result: `text`, or `blob` in base64. */
export interface ResourceContent extends ContentBase {
  type: 'resource'
  resource: { uri: string; mimeType?: string; text?: string; blob?: string }
}

/** A resource the client may fetch by its `uri`. */
export interface ResourceLinkContent extends ContentBase {
  type: 'resource_link'
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
}

/** A content type of the tool's own, for example `custom/chart`; passed through untouched. */
export interface CustomContent {
  type: `${string}/${string}`
  [field: string]: unknown
}

/** One item of a result. */
export type Content =
  TextContent | ImageContent | AudioContent | ResourceContent | ResourceLinkContent | CustomContent

/** What a tool call results in. `isError` marks a failure the model should read and may correct. */
export interface ToolResult {
  content: Content[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: Record<string, unknown>
}
