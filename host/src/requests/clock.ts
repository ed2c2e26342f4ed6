/**
 * Milliseconds of a monotonic clock that all threads share; `performance.now` starts at 0 in each thread.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Milliseconds to add to {@link monotonicMs} for the time since 1970. Changes when the machine has slept. */
export function epochOffsetMs(): number {
  return Date.now() - monotonicMs()
}
