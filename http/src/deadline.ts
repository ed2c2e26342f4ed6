/** Deadlines: the runtime sets no limit on a chained call, so the gateway sets one on each. */

/** The caller stopped waiting. Adapters map it to their own wire error; it is never a tool result. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  readonly afterMs: number
  constructor(afterMs: number) {
    super(`no answer within ${afterMs} ms`)
    this.afterMs = afterMs
  }
}

/** A client that may disconnect while something works on its request. */
export interface Leaving {
  /** @param stop called once, with the reason. */
  onLeave(stop: (reason: unknown) => void): void
  /** Does not call it any more. */
  offLeave(stop: (reason: unknown) => void): void
}

/** Leaves when the signal is aborted. */
export function leavingBy(signal: AbortSignal): Leaving {
  const listeners = new Map<(reason: unknown) => void, () => void>()
  return {
    onLeave(stop) {
      const leave = () => stop(signal.reason)
      listeners.set(stop, leave)
      signal.addEventListener('abort', leave)
    },
    offLeave(stop) {
      const leave = listeners.get(stop)
      listeners.delete(stop)
      if (leave) signal.removeEventListener('abort', leave)
    },
  }
}

export interface Deadline {
  /** Aborted at the deadline and when the client has gone; pass it to every fetch and reader. */
  readonly signal: AbortSignal
  /**
   * Only one race at a time: a pending earlier race does not reject at the deadline.
   *
   * @throws {DeadlineExceeded} at the deadline; otherwise the work's own error.
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Stops the timer. Work that began in time may continue, such as reading a body. */
  end(): void
}

/**
 * For work that is read in several steps. The caller must call `end()`: a running timer keeps the instance alive.
 *
 * @param timeoutMs always required, because a component can hang forever.
 * @param client ends the work when it disconnects.
 */
export function startDeadline(timeoutMs: number, client?: Leaving): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  let giveUp: ((reason: unknown) => void) | undefined
  const stop = (reason: unknown) => {
    controller.abort(reason)
    giveUp?.(reason)
  }
  client?.onLeave(stop)
  const timer = setTimeout(() => stop(new DeadlineExceeded(timeoutMs)), timeoutMs)
  return {
    signal,
    // A body reader does not see the fetch's signal, so only the race ends a slow response. Promise.race would create
    // three more promises, which make each call slower.
    race: (work) =>
      new Promise((resolve, reject) => {
        giveUp = reject
        work.then(resolve, reject)
        if (signal.aborted) reject(signal.reason as Error)
      }),
    end() {
      clearTimeout(timer)
      client?.offLeave(stop)
    },
  }
}

/**
 * Runs `work` until it settles or the time is up, whichever is first.
 *
 * @throws {DeadlineExceeded} at the deadline; otherwise the work's own error.
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
