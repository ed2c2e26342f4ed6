import type { Pipe } from '../instance/pipe.ts'
import type { WholeBody } from './messages.ts'

/** A body beyond this goes in pieces. Bytes. */
const WHOLE_LIMIT = 128 * 1024

const NOTHING = new Uint8Array(0)

/**
 * Waits a moment for the end of a body, which mostly comes with its beginning: one message then carries all.
 *
 * @returns the body, or `undefined` when it is long or still to come; nothing was read from the pipe then.
 */
export async function wholeBody(pipe: Pipe): Promise<WholeBody> {
  if (!pipe.ended) {
    await new Promise<void>((resolve) => {
      const watch = () => {
        if (pipe.ended || pipe.failure || pipe.cancelled) done()
        else stop = pipe.onReady(watch)
      }
      let stop = pipe.onReady(watch)
      const turn = setImmediate(() => done())
      const done = () => {
        stop()
        clearImmediate(turn)
        resolve()
      }
    })
  }
  return takeWhole(pipe)
}

/** The same without waiting. */
export function takeWhole(pipe: Pipe): WholeBody {
  if (!pipe.ended || pipe.failure || pipe.cancelled || pipe.queued > WHOLE_LIMIT) return undefined
  if (pipe.queued === 0) return NOTHING
  const chunks: Uint8Array[] = []
  for (;;) {
    const chunk = pipe.read(WHOLE_LIMIT)
    if (chunk === undefined || chunk.length === 0) break
    chunks.push(chunk)
  }
  // A copy of its own: a view would be cloned with all the memory behind it.
  return new Uint8Array(Buffer.concat(chunks))
}

/** A pipe that holds a whole body. */
export function filled(pipe: Pipe, bytes: Uint8Array): Pipe {
  pipe.write(bytes)
  pipe.end()
  return pipe
}
