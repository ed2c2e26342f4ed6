/**
 * Checks `Host` and `Origin` before any route.
 *
 * Prevents DNS rebinding, and requests that web pages send to a server on localhost or in an intranet. It does not
 * authenticate: a program other than a browser can send any headers.
 */
import type { AccessLists } from './access-lists.ts'
import { matches } from './wildcard-entries.ts'

// Names that public DNS cannot resolve, and IP addresses, which are not resolved. `URL` has normalized them.
const SAFE_HOST = /^(([\w-]+\.)*localhost|\d+\.\d+\.\d+\.\d+|\[.*\])$/
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
 * Reads neither list if the host is safe and the origin is absent, on this machine, or the component's own.
 *
 * @param isInside whether a component sent it, whose name for this one is right.
 * @throws {ConfigurationError} when a list is needed and unusable.
 */
export function forbidden(
  { host, hostname }: Pick<URL, 'host' | 'hostname'>,
  origin: string | null,
  lists: AccessLists,
  isInside = false,
): Forbidden | undefined {
  if (!isInside && !SAFE_HOST.test(hostname) && !matches(lists.allowedHosts, host, hostname)) {
    return { what: 'Host', value: host, variable: 'allowed_hosts' }
  }
  if (origin === null || LOCAL_ORIGIN.test(origin)) return undefined
  // A proxy may terminate TLS, so the scheme is not compared.
  if (/^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host) return undefined
  if (matches(lists.allowedOrigins, origin.toLowerCase())) return undefined
  return { what: 'Origin', value: origin, variable: 'allowed_origins' }
}

/** The message of a refusal. */
export function forbiddenMessage({ what, value }: Forbidden, whatToDo: string): string {
  return `${what} ${JSON.stringify(value.slice(0, SHOWN))} is not allowed. ${whatToDo}`
}
