import { HttpError } from '../http/http-error.ts'
import type { Pipe } from '../http/pipe.ts'

/**
 * Writes a stream piece by piece, no faster than it is read. A stream that fails makes the pipe fail, so that its reader does
 * not take a part for the whole. It never rejects.
 */
export async function writeStream(stream: ReadableStream<Uint8Array>, pipe: Pipe): Promise<void> {
  const reader = stream.getReader()
  try {
    while (!pipe.cancelled) {
      if (pipe.permit() === 0) {
        await new Promise<void>((resolve) => {
          pipe.writable.onReady(resolve)
        })
        continue
      }
      const { done, value } = await reader.read()
      if (done) return pipe.end()
      pipe.write(value)
    }
    // An answer came before the end of the request: the rest is not read.
    await reader.cancel()
  } catch {
    pipe.fail(new HttpError('connection-terminated'))
  }
}
