/**
 * Reading a body no further than a limit.
 *
 * @module
 */

/** The body is longer than it may be. */
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
   * Without a limit one answer of a gigabyte takes the whole component down.
   */
  limit: number
  /** Stops reading, so that a body that drips holds nothing after its deadline. */
  signal?: AbortSignal
}

/**
 * Reads to the end, or as many bytes as the message announces: the look for what cannot follow them is a turn of the
 * event loop.
 *
 * @throws {BodyTooLarge} without reading on.
 */
export async function readText(
  { body, headers }: Request | Response,
  { limit, signal }: ReadOptions,
): Promise<string> {
  if (!body) return ''
  const announced = Number(headers.get('content-length') ?? 0)
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const chunks: Uint8Array[] = []
  let size = announced > limit ? announced : 0
  // Looked at between two reads only: the engine fails in its own code when a stream ends that was cancelled while
  // somebody read it, and takes every other request of the instance along.
  while (size <= limit && !signal?.aborted) {
    const { done, value } = await reader.read()
    if (done) return decode(chunks)
    chunks.push(value)
    size += value.length
    if (size === announced) return decode(chunks)
  }
  void reader.cancel().catch(() => undefined)
  throw new BodyTooLarge(limit)
}

function decode(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder()
  if (chunks.length === 1) return decoder.decode(chunks[0])
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

/** Lets go of a body nobody will read. */
export function discard({ body }: Response): void {
  void body?.cancel().catch(() => undefined)
}
