/**
 * Milliseconds of a clock that all threads share and nobody sets: `performance.now` begins anew in each thread.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** What has to be added to {@link monotonicMs} for the time since 1970. It changes when the machine slept. */
export function epochOffsetMs(): number {
  return Date.now() - monotonicMs()
}
