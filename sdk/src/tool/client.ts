/**
 * The client that a call comes from, and what it can show.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18/changelog
 */
import { CLIENT_CAPABILITIES_HEADER, CLIENT_PROTOCOL_HEADER } from 'ftl-contract'
import { jsonIn } from './json-header.ts'

/** A revision of MCP, or `plain`: plain HTTP, JSON-RPC without a revision, or another component. */
export type ClientProtocol =
  'plain' | '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/** What a tool may choose the form of its result by. */
export interface ToolClient {
  /** @default 'plain' */
  readonly protocol: ClientProtocol
  /** Whether it reads `resource_link` and `structuredContent`: a plain caller, or a client since 2025-06-18. */
  readonly readsLinks: boolean
  /**
   * Whether it shows MCP Apps. Only clients of 2026-07-28 say so with a call; for older ones it is `undefined`, because
   * the gateway keeps no session.
   */
  readonly showsApps: boolean | undefined
}

/** The first revision with links and `structuredContent`. */
const WITH_LINKS = '2025-06-18'
/** The first revision whose clients send their capabilities with every call. */
const WITH_CAPABILITIES = '2026-07-28'
const APPS = 'io.modelcontextprotocol/ui'
const REVISION = /^\d{4}-\d{2}-\d{2}$/

/** @param headers of the internal request; without those of a gateway the caller is `plain`. */
export function clientOf(headers: Headers): ToolClient {
  const sent = headers.get(CLIENT_PROTOCOL_HEADER) ?? ''
  if (!REVISION.test(sent)) return { protocol: 'plain', readsLinks: true, showsApps: false }
  return {
    protocol: sent as ClientProtocol,
    readsLinks: sent >= WITH_LINKS,
    get showsApps() {
      return sent >= WITH_CAPABILITIES ? Object.hasOwn(extensionsIn(headers), APPS) : undefined
    },
  }
}

function extensionsIn(headers: Headers): object {
  const { extensions } = capabilitiesIn(headers)
  return typeof extensions === 'object' && extensions !== null ? extensions : {}
}

/** What the client can be asked for. */
export function capabilitiesIn(headers: Headers): Record<string, unknown> {
  return jsonIn(headers, CLIENT_CAPABILITIES_HEADER)
}
