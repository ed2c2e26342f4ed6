/** Reads a body up to a size limit. */

/** The body is longer than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  constructor(limit: number) {
    super(`more than ${limit} bytes`)
  }
}

export interface ReadOptions {
  /**
   * Bytes after which reading stops and the rest is refused.
   *
   * Without a limit, a single response of a gigabyte would crash the component.
   */
  limit: number
  /** Stops reading, so that a slow body does not hold resources after its deadline. */
  signal?: AbortSignal
}

type TextWithin = (
  message: Request | Response,
  limit: number,
  announced: number,
) => string | Promise<string | undefined> | null | undefined

/**
 * Our engine reads a body without a stream, which takes a tenth of the time: `null` for a body that is a stream already,
 * `undefined` for one that exceeds the limit. An abort of the request ends it, so it needs no signal.
 *
 * @default `undefined` in Node and with other engines
 */
const textWithin = (globalThis as { [key: symbol]: TextWithin | undefined })[
  Symbol.for('ftl.textWithin')
]

/**
 * Reads to the end, or until `content-length` bytes have arrived: waiting for the end of the stream would cost another
 * turn of the event loop.
 *
 * @throws {BodyTooLarge} when the body exceeds the limit; the rest is not read.
 * @throws the reason of `signal` when it is aborted.
 */
export async function readText(message: Request | Response, options: ReadOptions): Promise<string> {
  return readSoon(message, options)
}

/**
 * The same, without a promise where our engine has the whole body already.
 *
 * @throws as {@link readText}, at once or as a rejection.
 */
export function readSoon(
  message: Request | Response,
  { limit, signal }: ReadOptions,
): string | Promise<string> {
  const announced = Number(message.headers.get('content-length') ?? 0)
  if (textWithin) {
    signal?.throwIfAborted()
    if (announced > limit) {
      discard(message)
      throw new BodyTooLarge(limit)
    }
    const text = textWithin(message, limit, announced)
    if (typeof text === 'string') return text
    if (text !== null) return whole(text, limit)
  }
  return readStream(message, { limit, signal, announced })
}

async function whole(
  text: Promise<string | undefined> | undefined,
  limit: number,
): Promise<string> {
  const read = await text
  if (read === undefined) throw new BodyTooLarge(limit)
  return read
}

async function readStream(
  { body }: Request | Response,
  {
    limit,
    signal,
    announced,
  }: { limit: number; signal: AbortSignal | undefined; announced: number },
): Promise<string> {
  if (!body) return ''
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const chunks: Uint8Array[] = []
  let size = announced > limit ? announced : 0
  // Check the signal only between reads: if a stream is cancelled during a read, the engine fails when the stream ends,
  // and with it every other request of the instance.
  while (size <= limit && !signal?.aborted) {
    const { done, value } = await reader.read()
    if (done) return decode(chunks)
    chunks.push(value)
    size += value.length
    if (size === announced) return decode(chunks)
  }
  void reader.cancel().catch(() => undefined)
  if (size <= limit) signal?.throwIfAborted()
  throw new BodyTooLarge(limit)
}

function decode(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder()
  if (chunks.length === 1) return decoder.decode(chunks[0])
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

/** Releases a body that will not be read. */
export function discard({ body }: Request | Response): void {
  void body?.cancel().catch(() => undefined)
}
