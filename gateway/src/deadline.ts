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
  /** @throws {DeadlineExceeded} when the time is up. The work's own error otherwise. */
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
  const leave = () => controller.abort(client?.reason)
  client?.addEventListener('abort', leave)
  const timer = setTimeout(() => controller.abort(new DeadlineExceeded(timeoutMs)), timeoutMs)
  // A body reader does not see the fetch's signal, so the race is what ends a response that drips.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  // Nobody may be racing when the time is up.
  aborted.catch(() => undefined)
  return {
    signal,
    race: (work) => Promise.race([work, aborted]),
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
