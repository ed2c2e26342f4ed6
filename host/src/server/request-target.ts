/** Reads host, path and query of a request. */
import type { IncomingMessage } from 'node:http'
import { isInternal } from '../manifest/allowed-hosts.ts'

export interface RequestTarget {
  /** Path and query, in the one form that routes, components and logs see. */
  path: string
  authority: string
}

const AUTHORITY = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/

/** Paths that a URL parser would change: dot segments in any spelling, backslashes. */
const NOT_NORMAL = /\/(?:\.|%2e)|\\/i

/**
 * Reads the target of a request.
 *
 * The path is normalised once, by the rules of WHATWG URLs: dot segments (also `%2e`) are resolved and a backslash
 * is a slash. A component that parses its URL does the same, so without this the route could be chosen by one path
 * and the answer by another. Doubled slashes and `%2f` mean the same to both and stay.
 *
 * @returns `undefined` when it must be refused: several `Host` headers, none in HTTP/1.1, or an invalid host or path.
 */
export function parseTarget(request: IncomingMessage): RequestTarget | undefined {
  const { url = '/', rawHeaders, httpVersionMinor } = request
  let host: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    // One program in a chain would use the first, another the last.
    if (host !== undefined) return undefined
    host = rawHeaders[i + 1] ?? ''
  }
  // HTTP/1.0 does not require a `Host`.
  if (host === undefined && httpVersionMinor > 0) return undefined
  const [, absolute, rest] = /^http:\/\/([^/?]*)(.*)$/i.exec(url) ?? []
  const authority = absolute ?? host ?? 'localhost'
  const path = absolute === undefined ? url : rest?.startsWith('/') ? rest : `/${rest}`
  // The authority becomes part of a URL; a value that is not a host would change the URL's meaning.
  if (!AUTHORITY.test(authority) || !path.startsWith('/')) return undefined
  return { path: normalPath(path), authority }
}

/**
 * Whether the client names a component of the application, in any spelling that some program takes for one. Such names
 * are for components alone, whose requests do not come through a socket: the recipient relies on that.
 */
export function namesComponent(request: IncomingMessage, { authority }: RequestTarget): boolean {
  return [authority, request.headers.host ?? ''].some((name) =>
    isInternal(name.toLowerCase().replace(/:\d*$/, '').replace(/\.+$/, '')),
  )
}

/** The path without its query. */
export const withoutQuery = (path: string): string => {
  const end = path.indexOf('?')
  return end < 0 ? path : path.slice(0, end)
}

function normalPath(target: string): string {
  const hash = target.indexOf('#')
  const whole = hash < 0 ? target : target.slice(0, hash)
  const path = withoutQuery(whole)
  if (!NOT_NORMAL.test(path)) return whole
  // Without the origin, the start of a path with two slashes would be parsed as a host.
  return new URL(`http://localhost${path}`).pathname + whole.slice(path.length)
}
