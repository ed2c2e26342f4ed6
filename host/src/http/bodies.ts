/** Copies between Node's streams and pipes, with backpressure. */
import type { Readable, Writable } from 'node:stream'
import { HttpError } from './http-error.ts'
import type { Pipe } from './pipe.ts'

/** Bytes taken from a pipe at once. */
const CHUNK = 64 * 1024

/**
 * Writes what arrives at `source` into `pipe`, and no more than it has room for.
 *
 * @param onCancel called when the reader of the pipe has gone, so the rest of `source` is not needed.
 */
export function feed(source: Readable, pipe: Pipe, onCancel: () => void): void {
  const watch = () => {
    if (pipe.cancelled) {
      onCancel()
      return
    }
    if (source.isPaused() && pipe.permit() !== 0) source.resume()
    pipe.writable.onReady(watch)
  }
  source.on('data', (chunk: Buffer) => {
    pipe.write(chunk)
    if (pipe.permit() === 0) source.pause()
  })
  source.once('end', () => pipe.end())
  // Not made for a body that has ended: each source closes, and an error takes as long as a read.
  const broken = () => {
    if (!pipe.ended) pipe.fail(new HttpError('connection-terminated'))
  }
  source.once('error', broken)
  source.once('close', broken)
  watch()
}

/**
 * Writes a pipe into `sink` and ends it.
 *
 * @param length what `content-length` announced: another size would be read as the start of the next
 * message on the connection.
 * @throws {HttpError} when the writer of the pipe failed or the length is wrong; `sink` is not ended then.
 * @param onSent called with the size of every piece, in bytes.
 */
export async function pump(
  pipe: Pipe,
  sink: Writable,
  length?: number,
  onSent?: (bytes: number) => void,
): Promise<void> {
  // Closing ends both kinds of waiting below.
  sink.once('close', () => pipe.cancel())
  let sent = 0
  for (;;) {
    const chunk = pipe.read(CHUNK)
    if (chunk === undefined) break
    if (chunk.length === 0) {
      await new Promise<void>((resolve) => pipe.onReady(resolve))
      continue
    }
    sent += chunk.length
    if (length !== undefined && sent > length) {
      throw new HttpError('HTTP-request-body-size', 'the body is longer than its content-length')
    }
    onSent?.(chunk.length)
    if (!sink.write(chunk) && !sink.destroyed) await drained(sink)
  }
  if (pipe.cancelled) return
  if (length !== undefined && sent !== length) {
    throw new HttpError('HTTP-request-body-size', 'the body is shorter than its content-length')
  }
  sink.end()
}

function drained(sink: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      sink.off('drain', done)
      sink.off('close', done)
      resolve()
    }
    sink.once('drain', done)
    sink.once('close', done)
  })
}
