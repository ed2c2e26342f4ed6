/**
 * Lets a page of another origin read a refusal, by the rules of the gateway: the host answers in its place, so a page
 * that may read its responses must see the reason. The rules are those of `forbidden` in ftl-http, which the host
 * does not import; a test compares both.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Values of the variables `allowed_origins` and `allowed_hosts` of a component. */
export interface PageLists {
  origins: string
  hosts: string
}

// Names that public DNS cannot resolve, and IP addresses.
const SAFE_HOST = /^(([\w-]+\.)*localhost|\d+\.\d+\.\d+\.\d+|\[.*\])$/
const LOCAL_ORIGIN = /^https?:\/\/(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

const ORIGIN_ENTRY = /^[a-z][a-z0-9+.-]*:\/\/(\*\.)?[^\s/?#@*]+$/
const HOST_ENTRY = /^(\*\.)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?$/

/** One or more labels of a domain name. */
const LABELS = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

/** Whether a page of this origin may read responses of the component at this address. */
export function isReadable(authority: string, origin: string, lists: PageLists): boolean {
  const url = URL.parse(`http://${authority}`)
  const [hosts, origins] = [entries(lists.hosts, HOST_ENTRY), entries(lists.origins, ORIGIN_ENTRY)]
  if (!url || !hosts || !origins) return false
  const { host, hostname } = url
  if (!SAFE_HOST.test(hostname) && !matches(hosts, host, hostname)) return false
  return (
    LOCAL_ORIGIN.test(origin) ||
    /^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host ||
    matches(origins, origin.toLowerCase())
  )
}

/** @returns `undefined` for a list that the gateway refuses. */
function entries(text: string, form: RegExp): string[] | undefined {
  const found = text
    .trim()
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter((entry) => entry !== '')
  return found.every((entry) => entry === '*' || form.test(entry)) ? found : undefined
}

function matches(list: readonly string[], ...values: string[]): boolean {
  return list.some((entry) => entry === '*' || values.some((value) => covers(entry, value)))
}

function covers(entry: string, value: string): boolean {
  if (entry === value) return true
  const at = entry.indexOf('*.')
  if (at < 0) return false
  const [before, after] = [entry.slice(0, at), entry.slice(at + 1)]
  return (
    value.startsWith(before) &&
    value.endsWith(after) &&
    LABELS.test(value.slice(before.length, -after.length))
  )
}

/** Headers of a refusal that an allowed page may read. */
export function readableHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy',
  }
}

const TOKENS = /^[\w!#$%&'*+.^`|~-]+(\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/** Characters of a list of headers that a page asks for. */
const MAX_ASKED = 4096

/**
 * Headers of the response to a preflight beyond a limit. It has to succeed: otherwise the browser does not send the
 * request, and the page never sees why. No browser may keep it, because it permits every header.
 */
export function preflightHeaders(
  origin: string,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  const asked = headers['access-control-request-headers'] ?? ''
  return {
    ...readableHeaders(origin),
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
    ...(asked.length <= MAX_ASKED &&
      TOKENS.test(asked) && { 'access-control-allow-headers': asked }),
    'access-control-max-age': '0',
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  }
}
