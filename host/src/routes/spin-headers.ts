/**
 * The `spin-*` headers a component gets with each request.
 * @see https://spinframework.dev/v4/http-trigger#additional-request-information
 */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { Routed } from './router.ts'

const SPIN_HEADER = /^spin-/i

/**
 * Removes `spin-*` headers of the sender.
 *
 * Spin keeps them beside its own, so that a client can lie about its address; here only the host's remain.
 */
export const withoutSpinHeaders = (headers: readonly HeaderEntry[]): HeaderEntry[] =>
  headers.filter(([name]) => !SPIN_HEADER.test(name))

export interface ExternalRequest {
  /** Path and query. */
  path: string
  /** The `Host` header. */
  authority: string
  /** `address:port` of the peer. */
  client: string
}

/** For a request from outside. */
export function externalHeaders(
  { route, match }: Routed,
  { path, authority, client }: ExternalRequest,
): HeaderEntry[] {
  return [
    ['spin-path-info', match.rest],
    ['spin-full-url', `http://${authority}${path}`],
    ['spin-matched-route', route.based],
    // Spin takes only this form of a wildcard away, and `/*` stays.
    ['spin-component-route', route.written.replace(/\/\.\.\.$/, '')],
    ['spin-raw-component-route', route.written],
    ['spin-base-path', '/'],
    ['spin-client-addr', client],
    ...[...match.named].map(([name, value]): HeaderEntry => [
      `spin-path-match-${name.toLowerCase()}`,
      value,
    ]),
  ]
}

/**
 * Names of {@link chainedHeaders}. A header of another name that begins with `spin-` would stand alone in the request of
 * a component, so that its recipient could not tell it from one of the host.
 */
const CHAINED_NAMES: ReadonlySet<string> = new Set(chainedHeaders('/').map(([name]) => name))

/** Whether the host adds a header of this name to every request of one component to another. @param name in lower case. */
export const isChainedHeader = (name: string): boolean => CHAINED_NAMES.has(name)

/**
 * For a request another component sent. They follow those that the component forwarded, as on Spin, so the last value of
 * a name is the host's.
 *
 * @param path with its query.
 */
export function chainedHeaders(path: string): HeaderEntry[] {
  return [
    ['spin-path-info', path.replace(/\?.*$/s, '')],
    ['spin-full-url', `http://localhost${path}`],
    ['spin-matched-route', '/...'],
    ['spin-component-route', ''],
    ['spin-raw-component-route', '/...'],
    ['spin-base-path', '/'],
    ['spin-client-addr', '0.0.0.0:0'],
  ]
}
