/**
 * One request to a ComfyUI server, with a time limit.
 *
 * @module
 */
import { ComfyError } from './errors.ts'

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

export interface HttpOptions {
  baseUrl: string
  fetch: Fetch
  headers: Record<string, string>
  timeoutMs: number
}

/** An answer whose body has been read. */
export interface Reply {
  status: number
  text: string
}

/**
 * A server on a loopback address refuses requests that look as if a page of another site sent them, so what a
 * browser said to us must not be passed on.
 */
const FORBIDDEN_HEADER = /^(?:origin|host|cookie|sec-.*)$/i

/** The server's address without credentials, query and slashes at the end, as a prefix of its paths. */
export function toBase(baseUrl: string): string {
  return baseUrl.trim().replace(/\/+$/, '')
}

/**
 * Sends a request; the body of the response is still to be read.
 *
 * @throws {ComfyError} `unreachable` or `timeout`.
 */
export async function open(
  { baseUrl, fetch, headers, timeoutMs }: HttpOptions,
  path: string,
  init: RequestInit = {},
  extra: Record<string, string> = {},
): Promise<Response> {
  return limited(timeoutMs, (signal) => {
    const allowed = Object.entries({ ...headers, ...extra }).filter(
      ([name]) => !FORBIDDEN_HEADER.test(name),
    )
    return fetch(`${baseUrl}/api${path}`, {
      ...init,
      headers: Object.fromEntries(allowed),
      signal,
    })
  })
}

/** Sends a request and reads the whole answer within the time limit. */
export async function exchange(options: HttpOptions, path: string, body?: unknown): Promise<Reply> {
  const init: RequestInit = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const extra: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await open(options, path, init, extra)
  return limited(options.timeoutMs, async () => ({
    status: response.status,
    text: await response.text(),
  }))
}

/** The JSON of a reply, or `undefined` when it is none: a proxy's error page, for example. */
export function jsonOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

async function limited<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new ComfyError('timeout', 'The ComfyUI server did not answer in time.'))
    }, timeoutMs)
  })
  try {
    return await Promise.race([work(controller.signal), expired])
  } catch (error) {
    if (error instanceof ComfyError) throw error
    throw new ComfyError('unreachable', 'The ComfyUI server could not be reached.')
  } finally {
    clearTimeout(timer)
  }
}
