/**
 * Requests that end when nobody waits for them any more.
 *
 * @module
 */
import type { Platform } from 'ftl-platform'

/** Nothing came for so long. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/**
 * A fetch that `signal` or the time ends until its response begins. Not later: the engine of a component fails in its own
 * code when a body ends whose request was aborted.
 */
export async function fetchUntilBegun(
  { fetch }: Pick<Platform, 'fetch'>,
  url: string,
  { signal, timeoutMs, ...init }: RequestInit & { signal: AbortSignal; timeoutMs: number },
): Promise<Response> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const leave = () => controller.abort(signal.reason)
  signal.addEventListener('abort', leave)
  const timer = setTimeout(() => controller.abort(new Silence()), timeoutMs)
  try {
    return await fetch(url, { ...init, signal: controller.signal })
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

export interface LineOptions {
  /** Ends the reading. */
  signal: AbortSignal
  /** Milliseconds without a byte after which it is given up. */
  silenceMs: number
}

/**
 * The lines of a body as they come, however chunks cut them; the last needs no line break.
 *
 * @throws {Silence} Whatever `signal` was aborted with.
 */
export async function* bodyLines(
  { body }: Response,
  { signal, silenceMs }: LineOptions,
): AsyncGenerator<string, void> {
  if (!body) return
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  // The beginning of a line, in pieces: a picture is one line in many of them.
  let pending: string[] = []
  let read: Promise<unknown> | undefined
  try {
    for (;;) {
      const next = reader.read()
      read = next
      const { done, value } = await soon(next, signal, silenceMs)
      read = undefined
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = text.split('\n')
      for (let place = 0; place < lines.length - 1; place++) {
        pending.push(lines[place] ?? '')
        const line = pending.join('')
        pending = []
        yield line.endsWith('\r') ? line.slice(0, -1) : line
      }
      pending.push(lines.at(-1) ?? '')
      if (done) break
    }
    const last = pending.join('')
    if (last !== '') yield last
  } finally {
    const close = () => void reader.cancel().catch(() => undefined)
    // Never under a read that goes on: the engine fails in its own code then, and takes the whole answer along.
    if (read) read.then(close, () => undefined)
    else close()
  }
}

/** @throws {Silence} Whatever `signal` was aborted with. */
function soon<T>(work: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error)
    const timer = setTimeout(() => reject(new Silence()), timeoutMs)
    signal.addEventListener('abort', leave)
    const settled = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
    work.then(
      (value) => (settled(), resolve(value)),
      (error: unknown) => (settled(), reject(error as Error)),
    )
    if (signal.aborted) leave()
  })
}
