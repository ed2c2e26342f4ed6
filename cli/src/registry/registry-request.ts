/** HTTP requests to registries: every answer of a registry is the answer of a stranger. */
import { lookup as resolve } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { CommandFailure } from '../terminal/failure.ts'

/** Milliseconds for a whole answer, and redirects that are followed. */
const PATIENCE_MS = 300_000
const MOST_REDIRECTS = 5

export interface Reply {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
  /** Where the last request went. */
  url: string
}

export interface RequestOptions {
  method?: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'HEAD'
  headers?: Readonly<Record<string, string>>
  /** Sent to the origin of `url` only, never after a redirect to another one. */
  authorization?: string | undefined
  body?: Uint8Array
  /** Bytes of the longest answer. */
  limit: number
  /** @default {@link PATIENCE_MS} */
  timeoutMs?: number
  /** Whether the user has named this host. The address that a registry gives may not be a private one. @default true */
  isNamed?: boolean
}

/**
 * Follows redirects. Only a registry that the user has named may be on a private address: no answer leads to one.
 *
 * @throws {CommandFailure}
 */
export async function requestOf(url: string, options: RequestOptions): Promise<Reply> {
  const first = checkedUrl(url)
  const deadline = Date.now() + (options.timeoutMs ?? PATIENCE_MS)
  let at = first
  for (let redirects = 0; ; redirects++) {
    const isFirstHost = options.isNamed !== false && at.host === first.host
    const reply = await once(at, options, {
      isSame: at.origin === first.origin,
      mayBePrivate: isFirstHost,
      deadline,
    })
    const location = reply.headers['location']
    if (reply.status < 300 || reply.status > 399 || typeof location !== 'string') return reply
    if (redirects === MOST_REDIRECTS) throw failed(first, 'it redirects too often')
    const next = checkedUrl(new URL(location, at).href)
    if (at.protocol === 'https:' && next.protocol === 'http:') {
      throw failed(first, 'it redirects from https to http')
    }
    at = next
  }
}

interface Hop {
  isSame: boolean
  mayBePrivate: boolean
  deadline: number
}

function once(
  url: URL,
  { method = 'GET', headers, authorization, body, limit }: RequestOptions,
  { isSame, mayBePrivate, deadline }: Hop,
): Promise<Reply> {
  return new Promise((done, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer)
      sent.destroy()
      reject(failed(url, reason))
    }
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!mayBePrivate && isIP(host) > 0 && isPrivate(host)) {
      return reject(failed(url, PRIVATE))
    }
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: {
        'user-agent': 'ftl',
        ...headers,
        ...(isSame && authorization !== undefined && { authorization }),
        ...(body && { 'content-length': String(body.length) }),
      },
      lookup: mayBePrivate ? undefined : publicOnly,
      agent: false,
    })
    const timer = setTimeout(() => fail('it took too long'), Math.max(0, deadline - Date.now()))
    sent.on('error', ({ message }) =>
      fail(message.includes(PRIVATE) ? PRIVATE : `cannot be reached (${message})`),
    )
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      if (Number(response.headers['content-length'] ?? 0) > limit && method !== 'HEAD') {
        return fail(tooLong(limit))
      }
      response.on('error', ({ message }) => fail(`ended early (${message})`))
      response.on('aborted', () => fail('its answer ended early'))
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > limit) return fail(tooLong(limit))
        parts.push(part)
      })
      response.on('end', () => {
        clearTimeout(timer)
        const { statusCode: status = 0, headers } = response
        done({ status, headers, body: Buffer.concat(parts), url: url.href })
      })
    })
    sent.end(body)
  })
}

const PRIVATE = 'it leads to a private address, and only a registry that you name may be on one'

const tooLong = (limit: number) => `its answer is longer than ${limit} bytes`

/** Without the query: an address that was signed for one reader has its secret there. */
function failed({ origin, pathname }: URL, reason: string): CommandFailure {
  return new CommandFailure(`${origin}${pathname}: ${reason}`)
}

/** @throws {CommandFailure} for an address that is not http or https, and for http to another machine. */
function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure('the address of a registry must begin with https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandFailure(`${url.host}: the address of a registry must not contain a password`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new CommandFailure(`${url.origin}: a registry on another machine must have https`)
  }
  return url
}

export const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

const NOT_PUBLIC = new BlockList()
for (const [net, bits] of [
  ...[
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ],
  ...[
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ],
] as const) {
  NOT_PUBLIC.addSubnet(String(net), Number(bits), 'ipv4')
}
for (const [net, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  NOT_PUBLIC.addSubnet(net, bits, 'ipv6')
}

function isPrivate(address: string): boolean {
  return NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Refuses the address that is connected to, not only the one that was asked for earlier. */
const publicOnly: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const [first] = found
    if (!first || found.some(({ address }) => isPrivate(address))) {
      return done(new Error(PRIVATE), '')
    }
    if (options.all === true) done(null, found)
    else done(null, first.address, first.family)
  })
}
