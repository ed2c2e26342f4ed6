/** Requests that end when their signal is aborted or the server stays silent for too long. */
import type { Platform } from 'ftl-platform'

/** The server sent nothing within the allowed time. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/**
 * A fetch that `signal` or the timeout can abort only until its response begins: if the request is aborted later, the
 * component's engine fails internally when the body ends.
 *
 * @throws {Silence} or the reason of `signal`.
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
  /** Aborts reading. */
  signal: AbortSignal
  /** Milliseconds without a byte after which reading fails with {@link Silence}. */
  silenceMs: number
}

/**
 * Yields the lines of a body as they arrive, whatever its chunks are; the last line needs no line break.
 *
 * @throws {Silence} or the reason of `signal`.
 */
export async function* bodyLines(
  { body }: Response,
  { signal, silenceMs }: LineOptions,
): AsyncGenerator<string, void> {
  if (!body) return
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  // Pieces of an incomplete line, joined once: an image is one line that spans many chunks.
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
    // Never cancel during a read: the engine would fail internally, and the whole answer would be lost.
    if (read) read.then(close, () => undefined)
    else close()
  }
}

/** @throws {Silence} or the reason of `signal`. */
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
