/**
 * Deadlines: the runtime sets no limit on a chained call, so the gateway sets one on each.
 *
 * @module
 */

/** The caller stopped waiting. Adapters map it to their own wire error; it is never a tool result. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  readonly afterMs: number
  constructor(afterMs: number) {
    super(`no answer within ${afterMs} ms`)
    this.afterMs = afterMs
  }
}

export interface Deadline {
  /** Aborted at the deadline and when the client has gone; pass it to every fetch and reader. */
  readonly signal: AbortSignal
  /**
   * One race at a time: who is still in an earlier one is not told.
   *
   * @throws {DeadlineExceeded} when the time is up. The work's own error otherwise.
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Stops the clock. What was begun in time may go on: a body may be read after its deadline. */
  end(): void
}

/**
 * For work that is read bit by bit. Whoever starts it must end it: a timer keeps the instance alive.
 *
 * @param timeoutMs a component can hang for ever, so there is no "off".
 * @param client aborted when the client has gone.
 */
export function startDeadline(timeoutMs: number, client?: AbortSignal): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  let giveUp: ((reason: unknown) => void) | undefined
  const stop = (reason: unknown) => {
    controller.abort(reason)
    giveUp?.(reason)
  }
  const leave = () => stop(client?.reason)
  client?.addEventListener('abort', leave)
  const timer = setTimeout(() => stop(new DeadlineExceeded(timeoutMs)), timeoutMs)
  return {
    signal,
    // A body reader does not see the fetch's signal, so the race is what ends a response that drips. Written out,
    // because Promise.race makes three promises more, and they are what a call is slow by.
    race: (work) =>
      new Promise((resolve, reject) => {
        giveUp = reject
        work.then(resolve, reject)
        if (signal.aborted) reject(signal.reason as Error)
      }),
    end() {
      clearTimeout(timer)
      client?.removeEventListener('abort', leave)
    },
  }
}

/**
 * Runs `work` until it settles or the time is up, whichever is first.
 *
 * @throws {DeadlineExceeded} when the time is up. The work's own error otherwise.
 * @example
 * const text = await withDeadline(2_000, (signal) => fetch(url, { signal }))
 */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs)
  try {
    return await deadline.race(work(deadline.signal))
  } finally {
    deadline.end()
  }
}
