/**
 * Lines of JSON that tell how something is getting on: any number of `status`, then one `result` or `error`.
 *
 * For browsers too: nothing but `fetch`'s streams is used.
 *
 * @module
 */

/** The stream said `{"type":"error"}`: the work failed, and asking again would not change that. */
export class StreamedError extends Error {
  override readonly name = 'StreamedError'
  readonly code: unknown

  constructor(message: string, code?: unknown) {
    super(message)
    this.code = code
  }
}

/** A whole line that is no JSON. */
export class LineError extends Error {
  override readonly name = 'LineError'
}

/** A mistake of the caller's own is no trouble of the stream's. */
class ListenerError extends Error {}

/** One line: a JSON object, whose `type` says what it is. */
export type Line = Record<string, unknown>

/**
 * Each line of a body as it comes, however the chunks cut it. The last line needs no newline; half a line at the end of
 * a body that broke off is left out.
 *
 * @throws {LineError} for a line that is no JSON object. What the body itself throws, when the connection breaks.
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
    const last = parts.join('').trim()
    const line = last === '' ? undefined : tryParse(last)
    if (line) yield line
  } finally {
    // Who stops reading early wants no more of it; no read is pending here.
    if (!done) await reader.cancel().catch(() => {})
  }
}

/** How lines are followed to their end. */
export interface FollowLinesOptions {
  /** Ends it; pass the same signal to the `fetch` in `open`. */
  signal?: AbortSignal
  /** Every line that is not the end: `status`, `log` and whatever else there is. */
  onLine?: (line: Line) => void
  /** How often it is opened anew, in a row, without a single line in between. @default 5 */
  reconnects?: number
  /** Milliseconds before the first of these, doubled for each further one. @default 250 */
  reconnectMs?: number
}

/**
 * The line of type `result` at the end of a stream, opened as often as it breaks off before.
 *
 * @param open makes the request; it must be one that may be repeated, for example `GET /jobs/{id}/events`.
 * @throws {StreamedError} for a line of type `error`. @throws {LineError}
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
    if (failures > 0) await after(reconnectMs * 2 ** (failures - 1), signal)
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
  if (!value) throw new LineError(`a line is no JSON object: ${line.slice(0, 200)}`)
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
