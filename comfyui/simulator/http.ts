/** Minimal request and response helpers for the simulator's routes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { parseExact, withExactMax } from './exact-json.ts'

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** An error response that a route throws instead of returning it. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly answer: Answer
  constructor(answer: Answer) {
    super(`status ${answer.status}`)
    this.answer = answer
  }
}

export interface Call {
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** What the route's pattern captured. */
  match: string
  body(): Promise<Buffer>
  /** @throws {HttpFailure} 500, like the real server, when the body is not JSON. */
  json(): Promise<unknown>
}

export function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value, withExactMax),
  }
}

export function empty(status: number): Answer {
  return { status, body: '' }
}

export const INTERNAL_ERROR: Answer = {
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '500 Internal Server Error\n\nServer got itself in trouble',
}

function tooLarge(maxBytes: number): Answer {
  return {
    status: 413,
    headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
    body: `Maximum request body size ${maxBytes} exceeded.`,
  }
}

/** The files of the front end are below every path, so GET is always allowed. */
export function methodNotAllowed(hasPost: boolean): Answer {
  const allow = hasPost ? 'GET,HEAD,POST' : 'GET,HEAD'
  return {
    status: 405,
    headers: { 'content-type': 'text/plain; charset=utf-8', allow },
    body: '405: Method Not Allowed',
  }
}

/** Response of the front end's static file server for a path without a file. */
export const NO_SUCH_PAGE: Answer = {
  status: 404,
  headers: { 'content-type': 'application/octet-stream' },
}

export function createCall(
  request: IncomingMessage,
  query: URLSearchParams,
  match: string,
  maxBytes: number,
): Call {
  let read: Promise<Buffer> | undefined
  const body = () => (read ??= readBody(request, maxBytes))
  return {
    query,
    headers: request.headers,
    match,
    body,
    async json() {
      try {
        return parseExact((await body()).toString())
      } catch (error) {
        throw error instanceof HttpFailure ? error : new HttpFailure(INTERNAL_ERROR)
      }
    },
  }
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes)
    throw new HttpFailure(tooLarge(maxBytes))
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw new HttpFailure(tooLarge(maxBytes))
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, { ...length, ...headers })
  response.end(body)
}

/** @returns `undefined` for an address that no URL can have. `//x` is a path here, not the name of a host. */
export function addressOf({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.parse(url.startsWith('/') ? `http://simulator${url}` : url) ?? undefined
}

const isLoopback = (name: string) =>
  name === 'localhost' || name === '::1' || name.startsWith('127.')

/**
 * Protects a server on a loopback address against requests from pages of other sites.
 *
 * @returns whether the request is refused.
 */
export function isForeign(headers: IncomingMessage['headers'], checksFetchSite: boolean): boolean {
  if (checksFetchSite && headers['sec-fetch-site'] === 'cross-site') return true
  const { host, origin } = headers
  if (!host || !origin) return false
  return isLoopback(nameIn(host)) && URL.parse(origin)?.host !== host.toLowerCase()
}

const nameIn = (host: string) =>
  host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()

/**
 * Whether a page may have led its own name to this machine (DNS rebinding): its requests have the origin that they go to.
 * The real server does not look; this one runs on a developer's machine beside a browser.
 *
 * @param listensOn another than a loopback address is reached by names that are not known here.
 */
export function isRebound({ host = '' }: IncomingMessage['headers'], listensOn: string): boolean {
  const name = nameIn(host)
  return isLoopback(listensOn) && name !== 'localhost' && isIP(name) === 0
}
