/** Reads a body as it arrives, up to a size limit and a deadline. */
import { BodyTooLarge } from './body.ts'
import type { Deadline } from './deadline.ts'

export interface StreamLimits {
  /**
   * Bytes after which reading stops.
   *
   * Without a limit, an endless body would fill the memory of the component.
   */
  limit: number
  /** Waits for each read, because a body may stop in the middle. */
  deadline: Pick<Deadline, 'race'>
}

/**
 * Yields the text of a body in the pieces in which it arrives.
 *
 * @throws {BodyTooLarge} when the body exceeds the limit; otherwise the error of the read or of the deadline.
 */
export async function* readPieces(
  { body }: Request | Response,
  { limit, deadline }: StreamLimits,
): AsyncGenerator<string, void, undefined> {
  if (!body) return
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let size = 0
  let read: ReturnType<typeof reader.read> | undefined
  try {
    for (;;) {
      read = reader.read()
      const { done, value } = await deadline.race(read)
      read = undefined
      size += value?.length ?? 0
      if (size > limit) throw new BodyTooLarge(limit)
      yield decoder.decode(value, { stream: !done })
      if (done) return
    }
  } finally {
    // Cancel only between reads: during a read the engine would fail, and with it every other request of the instance.
    Promise.resolve(read)
      .then(() => reader.cancel())
      .catch(() => undefined)
  }
}

/**
 * Yields the lines of a body; the last line needs no line break.
 *
 * @throws as {@link readPieces}.
 */
export async function* readLines(
  source: Request | Response,
  limits: StreamLimits,
): AsyncGenerator<string, void, undefined> {
  // Pieces of an incomplete line, joined once: an image is one line that spans many pieces.
  let pending: string[] = []
  for await (const piece of readPieces(source, limits)) {
    const [end = '', ...starts] = piece.split('\n')
    pending.push(end)
    for (const start of starts) {
      const line = pending.join('')
      pending = [start]
      yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
  }
  const last = pending.join('')
  if (last !== '') yield last
}
