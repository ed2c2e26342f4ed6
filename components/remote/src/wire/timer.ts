import { RemoteError } from './remote-error.ts'

/** The time one exchange may take, from the request to the last byte of the answer. */
export interface Timer {
  /** Aborted when the time is up: it ends the request and the body of its response. */
  readonly signal: AbortSignal
  /** `work`, or a {@link RemoteError} when the time is up; the work itself goes on. Only one race at a time. */
  race<T>(work: Promise<T>): Promise<T>
  /** Must be called: a timer that still runs keeps the instance alive. */
  end(): void
}

export function startTimer(milliseconds: number): Timer {
  const controller = new AbortController()
  const { signal } = controller
  let expire: ((error: RemoteError) => void) | undefined
  const timer = setTimeout(() => {
    const error = new RemoteError('timeout', `gave no answer within ${milliseconds} ms`)
    expire?.(error)
    controller.abort(error)
  }, milliseconds)
  return {
    signal,
    // Promise.race would create three more promises, which make each call slower.
    race: (work) =>
      new Promise((resolve, reject) => {
        expire = reject
        work.then(resolve, reject)
        // It may fire between two races.
        if (signal.aborted) reject(signal.reason as RemoteError)
      }),
    end: () => clearTimeout(timer),
  }
}
