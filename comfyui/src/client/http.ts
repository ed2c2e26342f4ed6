/** One request to a ComfyUI server, with a time limit. */
import { ComfyError } from './errors.ts'
import { readLimited, TooLarge } from './read-limited.ts'

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

export interface HttpOptions {
  /** Prefix of every path, without `/api` and without a slash at the end. */
  base: string
  fetch: Fetch
  headers: Record<string, string>
  /** Milliseconds for one answer. */
  timeoutMs: number
}

/** An answer whose body has been read. */
export interface Reply {
  status: number
  text: string
  /** `Retry-After`, where it is a number of seconds. */
  retryAfterMs?: number
}

export interface Content {
  type: string
  bytes: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
}

/**
 * A server on a loopback address refuses requests that look as if a page of another site sent them, so these headers
 * of a browser's request must not be forwarded.
 */
const FORBIDDEN_HEADER = /^(?:origin|host|cookie|sec-.*)$/i
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Bytes of an answer. The description of all nodes is the largest: 3 MB, and more with many node packs and models. */
const MAX_ANSWER = 32 * 1024 ** 2
/** Comfy Cloud redirects once. */
const MAX_REDIRECTS = 3
/** A proxy that answers one of these now and then may answer better a moment later. */
const BAD_GATEWAY = new Set([502, 504])
const REPEATS_AFTER_MS = [100, 300]

/**
 * Sends a request without reading the response body. A redirect is returned, not followed: following it would turn a
 * POST into a GET.
 *
 * @throws {ComfyError} `unreachable` or `timeout`.
 */
async function open(
  { base, fetch, headers, timeoutMs }: HttpOptions,
  path: string,
  init: RequestInit = {},
  extra: Record<string, string> = {},
): Promise<Response> {
  const ask = () =>
    limited(timeoutMs, (signal) =>
      fetch(`${base}/api${path}`, {
        ...init,
        redirect: 'manual',
        headers: allowed({ ...headers, ...extra }),
        signal,
      }),
    )
  let response = await ask()
  // Only a read is repeated: the server may have done what else was asked.
  for (const ms of init.method === undefined ? REPEATS_AFTER_MS : []) {
    if (!BAD_GATEWAY.has(response.status)) break
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, ms))
    response = await ask()
  }
  return response
}

/**
 * Like {@link open} for a file, but follows redirects to a store: Comfy Cloud redirects to a signed storage URL. The
 * server's key is not sent to that URL.
 *
 * @throws {ComfyError}
 */
export async function openFile(
  options: HttpOptions,
  path: string,
  extra: Record<string, string>,
): Promise<Response> {
  let url = `${options.base}/api${path}`
  let response = await open(options, path, {}, extra)
  for (let hop = 0; hop < MAX_REDIRECTS && REDIRECTS.has(response.status); hop++) {
    const target = redirectTarget(response.headers.get('location'), url)
    if (target === undefined) break
    await response.body?.cancel()
    url = target
    response = await limited(options.timeoutMs, (signal) =>
      options.fetch(url, { redirect: 'manual', headers: allowed(extra), signal }),
    )
  }
  return response
}

/** Sends a request and reads the whole response, each within `timeoutMs`. */
export async function exchange(
  options: HttpOptions,
  path: string,
  content?: Content,
): Promise<Reply> {
  // `duplex` is what `fetch` of Node requires for a stream.
  const sent = content && { method: 'POST', body: content.bytes, duplex: 'half' as const }
  const init: RequestInit = sent ?? {}
  const response = await open(options, path, init, content ? { 'content-type': content.type } : {})
  const text = await limited(options.timeoutMs, () => readText(response))
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  return {
    status: response.status,
    text,
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1000 }),
  }
}

/** @throws {ComfyError} when it is too large: an endless answer would take the memory of the component. */
async function readText(response: Response): Promise<string> {
  const length = response.headers.get('content-length')
  // `text()` is faster, and reads no more than the length that the server announced.
  if (length !== null && Number(length) <= MAX_ANSWER) return response.text()
  try {
    return new TextDecoder().decode(await readLimited(response, MAX_ANSWER))
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    const megabytes = MAX_ANSWER / 1024 ** 2
    throw new ComfyError('rejected', `The ComfyUI server sent more than ${megabytes} MB.`)
  }
}

/** {@link exchange} with a JSON body. */
export function post(options: HttpOptions, path: string, body: unknown): Promise<Reply> {
  return exchange(options, path, { type: 'application/json', bytes: JSON.stringify(body) })
}

/** The JSON of a reply, or `undefined` if it is not valid JSON, such as a proxy's error page. */
export function jsonOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** @throws {ComfyError} when the answer is not 200 with JSON. */
export function readOk(reply: Reply): unknown {
  const body = jsonOf(reply)
  if (reply.status !== 200 || body === undefined) throw unexpected(reply)
  return body
}

/** Maps a response with an unexpected status or body to an error. */
export function unexpected({ status, retryAfterMs }: Reply): ComfyError {
  const details = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  switch (status) {
    case 401:
    case 403:
      return new ComfyError(
        'unauthorized',
        'The ComfyUI server refused access: its credentials (comfyui_auth) are missing or wrong.',
        details,
      )
    case 402:
      return new ComfyError('unauthorized', 'The ComfyUI account has no credits left.', details)
    case 413:
      return new ComfyError('rejected', 'The ComfyUI server does not take that much data.', details)
    case 429:
      return new ComfyError('queue_full', 'The ComfyUI server is busy: its queue is full.', details)
    // These come from a proxy. 500 comes from ComfyUI itself, which then has not queued anything.
    case 502:
    case 503:
    case 504: {
      const text = `The ComfyUI server could not be reached (status ${status}).`
      return new ComfyError('unreachable', text, details)
    }
  }
  const text = REDIRECTS.has(status)
    ? 'The ComfyUI server redirects to another address: its address may be wrong, or it needs a login.'
    : `The answer does not come from ComfyUI (status ${status}): check the address of the server.`
  return new ComfyError('rejected', text, details)
}

/**
 * The address that a redirect of a file may lead to: the same host, or a store with https. A component of this application, and
 * a server that only this machine reaches, are refused, because a ComfyUI server must not be able to read from them.
 */
function redirectTarget(location: string | null, from: string): string | undefined {
  try {
    const { href, protocol, hostname } = new URL(location ?? 'none:', from)
    const isSameHost = hostname === new URL(from).hostname
    if (isSameHost) return /^https?:$/.test(protocol) ? href : undefined
    return protocol === 'https:' && !/\.spin\.internal\.?$/.test(hostname) ? href : undefined
  } catch {
    return undefined
  }
}

function allowed(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !FORBIDDEN_HEADER.test(name)),
  )
}

async function limited<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timeout = () =>
    new ComfyError('timeout', `The ComfyUI server did not answer within ${timeoutMs / 1000} s.`)
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(timeout())
    }, timeoutMs)
  })
  try {
    return await Promise.race([work(controller.signal), expired])
  } catch (error) {
    if (error instanceof ComfyError) throw error
    // The aborted work may reject before `expired` does.
    if (controller.signal.aborted) throw timeout()
    throw new ComfyError('unreachable', 'The ComfyUI server could not be reached.')
  } finally {
    clearTimeout(timer)
  }
}
