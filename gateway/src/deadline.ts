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

/**
 * Runs `work` until it settles or the time is up, whichever is first.
 *
 * @param timeoutMs a component can hang for ever, so there is no "off".
 * @param work receives a signal that is aborted at the deadline; pass it to every fetch and reader.
 * @throws {DeadlineExceeded} when the time is up. The work's own error otherwise.
 * @example
 * const text = await withDeadline(2_000, (signal) => fetch(url, { signal }))
 */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const expire = () => controller.abort(new DeadlineExceeded(timeoutMs))
  const timer = setTimeout(expire, timeoutMs)
  try {
    return await Promise.race([work(controller.signal), rejectedWhenAborted(controller.signal)])
  } finally {
    clearTimeout(timer)
  }
}

// A body reader does not see the fetch's signal, so the race is what ends a response that drips.
function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason as Error)
    signal.addEventListener('abort', fail, { once: true })
  })
}
