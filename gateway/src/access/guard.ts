/**
 * Checks `Host` and `Origin` before any route.
 *
 * Prevents DNS rebinding, and requests that web pages send to a gateway on localhost or in an intranet. It does not
 * authenticate: a program other than a browser can send any headers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http, "Security & Endpoint"
 */
import { failure, json } from '../http.ts'
import { addressOf } from '../address.ts'
import type { Settings } from '../settings.ts'
import { matches } from './patterns.ts'

type Lists = Pick<Settings, 'allowedHosts' | 'allowedOrigins'>

/** Not a code of JSON-RPC's range for implementation-defined server errors: the current revision reserves it. */
const INVALID_REQUEST = -32_600

// Names that public DNS cannot resolve, and IP addresses, which are not resolved. `URL` has normalized them.
// spin.internal: calls inside the application.
const SAFE_HOST = /^(([\w-]+\.)*localhost|[\w-]+\.spin\.internal|\d+\.\d+\.\d+\.\d+|\[.*\])$/
const LOCAL_ORIGIN = /^https?:\/\/(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/** Maximum characters of a refused value in the message. */
const SHOWN = 100

/** The refused header of a request, and the variable that would allow it. */
export interface Forbidden {
  what: 'Host' | 'Origin'
  value: string
  variable: 'allowed_hosts' | 'allowed_origins'
}

/**
 * Checks the address a request was sent to and the origin of the page that sent it.
 *
 * Reads neither list if the host is safe and the origin is absent, on this machine, or the gateway's own.
 *
 * @throws {ConfigurationError} when a list is needed and unusable.
 */
export function forbidden(
  { host, hostname }: Pick<URL, 'host' | 'hostname'>,
  origin: string | null,
  lists: Lists,
): Forbidden | undefined {
  if (!SAFE_HOST.test(hostname) && !matches(lists.allowedHosts, host, hostname)) {
    return { what: 'Host', value: host, variable: 'allowed_hosts' }
  }
  if (origin === null || LOCAL_ORIGIN.test(origin)) return undefined
  // A proxy may terminate TLS, so the scheme is not compared.
  if (/^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host) return undefined
  if (matches(lists.allowedOrigins, origin.toLowerCase())) return undefined
  return { what: 'Origin', value: origin, variable: 'allowed_origins' }
}

/** The message of a refusal. */
export function forbiddenMessage({ what, value }: Forbidden, remedy: string): string {
  return `${what} ${JSON.stringify(value.slice(0, SHOWN))} is not allowed. ${remedy}`
}

/**
 * The error response to a request that must not be served, or `undefined`.
 *
 * @throws {ConfigurationError} when a list is needed and unusable.
 */
export function refusal(request: Request, settings: Lists): Response | undefined {
  const address = addressOf(request)
  const found = forbidden(address, request.headers.get('origin'), settings)
  if (!found) return undefined
  const message = forbiddenMessage(found, `Add it to the variable ${found.variable}.`)
  return address.pathname === '/mcp'
    ? // The request was not read, so there is no id to answer to.
      json(403, { jsonrpc: '2.0', error: { code: INVALID_REQUEST, message } })
    : failure(403, 'forbidden', message)
}
