/**
 * Reads streams of JSON lines: any number of `status`, then one `result` or `error`.
 *
 * Runs in browsers too: it only needs the streams of `fetch`.
 *
 * @module
 */

/**
 * The stream sent a line of type `error`, or `open` got an HTTP status below 500 without a stream: a retry would not
 * help. `code` is that of the line, or the HTTP status.
 */
export class StreamedError extends Error {
  override readonly name = 'StreamedError'
  readonly code: unknown

  constructor(message: string, code?: unknown) {
    super(message)
    this.code = code
  }
}

/** A complete line is not a JSON object. */
export class LineError extends Error {
  override readonly name = 'LineError'
}

/** Wraps an error of `onLine`, so that it does not cause a reconnect. */
class ListenerError extends Error {}

/** One line: a JSON object with a `type`. */
export type Line = Record<string, unknown>

/**
 * Yields each line of a body as it arrives, independent of how chunks split it. The last line needs no newline; an
 * incomplete line at the end is ignored.
 *
 * @throws {LineError} for a line that is not a JSON object. Throws the body's own error when the connection breaks.
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let parts: string[] = []
  let done = false
  try {
    while (!done) {
      const read = await reader.read()
      done = read.done
      const text = done ? decoder.decode() : decoder.decode(read.value, { stream: true })
      const [first = '', ...more] = text.split('\n')
      parts.push(first)
      for (const next of more) {
        const line = parts.join('').trim()
        parts = [next]
        if (line !== '') yield parsed(line)
      }
    }
    const line = tryParse(parts.join(''))
    if (line) yield line
  } finally {
    // The caller stopped reading early, so cancel the body; no read is pending here.
    if (!done) await reader.cancel().catch(() => {})
  }
}

/** Options of {@link followLines}. */
export interface FollowLinesOptions {
  /** Stops following; pass the same signal to the `fetch` in `open`. */
  signal?: AbortSignal
  /** Called for every line except `result` and `error`, for example `status` and `log`. */
  onLine?: (line: Line) => void
  /** How often the stream is opened again in a row, without a line in between. @default 5 */
  reconnects?: number
  /** Milliseconds before the first reconnect at most, doubled for each further one. @default 250 */
  reconnectMs?: number
}

/**
 * Returns the line of type `result` at the end of a stream; opens the stream again if it breaks off before.
 *
 * @param open sends the request, which must be safe to repeat, for example `GET /jobs/{id}/events`.
 * @throws {StreamedError} {@link LineError}, an error that `onLine` throws, the signal's reason, and the last
 * connection error when every reconnect failed.
 * @example
 * const { result } = await followLines(() => fetch(url, { headers: { accept: 'application/x-ndjson' } }), {
 *   onLine: ({ message }) => show(message),
 * })
 */
export async function followLines(
  open: () => Promise<Response>,
  { signal, onLine, reconnects = 5, reconnectMs = 250 }: FollowLinesOptions = {},
): Promise<Line> {
  let broken: unknown
  const tell = (line: Line) => {
    try {
      onLine?.(line)
    } catch (cause) {
      throw new ListenerError('onLine threw', { cause })
    }
  }
  for (let failures = 0; failures <= reconnects; failures++) {
    // Partly by chance, so that the clients of a server that restarts do not all come back in the same moment.
    if (failures > 0)
      await after(reconnectMs * 2 ** (failures - 1) * (0.5 + Math.random() / 2), signal)
    try {
      const response = await open()
      if (!response.ok || !response.body) {
        await response.body?.cancel()
        const refusal = new Error(`the stream answered with HTTP ${response.status}`)
        if (response.status < 500) throw new StreamedError(refusal.message, response.status)
        throw refusal
      }
      for await (const line of readLines(response.body)) {
        failures = 0
        if (line['type'] === 'result') return line
        if (line['type'] === 'error') throw errorOf(line)
        tell(line)
      }
      broken = new Error('the stream ended without a result')
    } catch (error) {
      if (error instanceof ListenerError) throw error.cause
      if (error instanceof StreamedError || error instanceof LineError) throw error
      broken = error
    }
    signal?.throwIfAborted()
  }
  throw broken
}

function errorOf({ message, code }: Line): StreamedError {
  return new StreamedError(typeof message === 'string' ? message : 'the work failed', code)
}

function parsed(line: string): Line {
  const value = tryParse(line)
  if (!value) throw new LineError(`a line must be a JSON object: ${line.slice(0, 200)}`)
  return value
}

function tryParse(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Line)
      : undefined
  } catch {
    return undefined
  }
}

function after(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
