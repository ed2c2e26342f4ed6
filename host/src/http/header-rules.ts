/** Which headers a guest may set, and which it never sees: the rules of Spin's wasi:http. */

/** Name and value; both are strings of bytes (latin1), the names in lower case. */
export type HeaderEntry = readonly [name: string, value: string]

/**
 * Headers of the connection rather than of the message. The host owns them; a guest that could set `host`
 * or `transfer-encoding` could smuggle a second request past a proxy.
 */
const FORBIDDEN = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
  'http2-settings',
])

/**
 * What else a guest may set, as on Spin, and a request to the network does not carry: each says something about the
 * connection or about where the body ends, which the host alone decides.
 */
const HOP_BY_HOP = new Set([...FORBIDDEN, 'content-length', 'expect', 'te', 'trailer'])

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// Any byte but controls; a tab is allowed (RFC 9110, 5.5).
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** @param name in lower case. */
export const isForbiddenHeader = (name: string): boolean => FORBIDDEN.has(name)

/** @param name in lower case. */
export const isHopByHop = (name: string): boolean => HOP_BY_HOP.has(name)

export const isHeaderName = (name: string): boolean => TOKEN.test(name)

export const isHeaderValue = (value: string): boolean => VALUE.test(value)

/** Pairs of Node's `rawHeaders` as a guest may see them. */
export function visibleHeaders(raw: readonly string[]): HeaderEntry[] {
  const entries: HeaderEntry[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase()
    if (!FORBIDDEN.has(name)) entries.push([name, raw[i + 1] ?? ''])
  }
  return entries
}

/** Fifteen digits stay exact as a number. A sign, a list or a space is read differently by different programs. */
const DECIMAL = /^\d{1,15}$/

/**
 * The length that `content-length` announces.
 *
 * @param headers with names in lower case.
 * @returns `undefined` without one, `'invalid'` for one that is not a decimal number and for several that differ.
 */
export function announcedLength(headers: readonly HeaderEntry[]): number | 'invalid' | undefined {
  let length: number | undefined
  for (const [name, value] of headers) {
    if (name !== 'content-length') continue
    if (!DECIMAL.test(value)) return 'invalid'
    const announced = Number(value)
    if (length !== undefined && length !== announced) return 'invalid'
    length = announced
  }
  return length
}
