import type { Pipe } from '../http/pipe.ts'
import type { WholeBody } from './messages.ts'

/** A body beyond this goes in pieces. Bytes. */
const WHOLE_LIMIT = 128 * 1024

const NOTHING = new Uint8Array(0)

/** How long the end of a body is waited for while its writer is delayed. Milliseconds. */
const PATIENCE_MS = 250

/**
 * Waits a moment for the end of a body, which mostly comes with its beginning: one message then carries all. A request
 * whose answer was passed on in part cannot be sent to another worker.
 *
 * @param isDelayed whether the writer could go on if its thread had time for it. The moment then lasts longer, up to
 * {@link PATIENCE_MS}.
 * @returns the body, or `undefined` when it is long or still to come; nothing was read from the pipe then.
 */
export async function wholeBody(
  pipe: Pipe,
  isDelayed: () => boolean = () => false,
): Promise<WholeBody> {
  const isKnown = () =>
    pipe.ended || pipe.cancelled || pipe.failure !== undefined || pipe.queued > WHOLE_LIMIT
  if (!isKnown()) {
    const end = performance.now() + PATIENCE_MS
    await new Promise<void>((resolve) => {
      const watch = () => {
        if (isKnown()) done()
        else stop = pipe.onReady(watch)
      }
      const wait = () => {
        if (isDelayed() && performance.now() < end) turn = setImmediate(wait)
        else done()
      }
      const done = () => {
        stop()
        clearImmediate(turn)
        resolve()
      }
      let stop = pipe.onReady(watch)
      let turn = setImmediate(wait)
    })
  }
  return takeWhole(pipe)
}

/** The same without waiting. */
function takeWhole(pipe: Pipe): WholeBody {
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
