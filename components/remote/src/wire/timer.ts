import { RemoteError } from './remote-error.ts'

/** The time one exchange may take, from the request to the last byte of the answer. */
export interface Timer {
  /** `work`, or a {@link RemoteError} when the time is up; the work itself goes on. */
  race<T>(work: Promise<T>): Promise<T>
  /** Must be called: a timer that still runs keeps the instance alive. */
  end(): void
}

export function startTimer(milliseconds: number): Timer {
  let expire: (error: RemoteError) => void = () => undefined
  const expired = new Promise<never>((_, reject) => (expire = reject))
  // It may fire between two races.
  expired.catch(() => undefined)
  const timer = setTimeout(
    () => expire(new RemoteError('timeout', `gave no answer within ${milliseconds} ms`)),
    milliseconds,
  )
  return {
    race: (work) => Promise.race([work, expired]),
    end: () => clearTimeout(timer),
  }
}
