/** Time that passes only when a test says so. */

/** Where the clock stands when a test says nothing: the same in every run, so that an answer may be compared whole. */
const START = Date.UTC(2026, 0, 1)

/** The time of a test, which passes when the test says so. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Lets time pass. Timers of the engine (`setTimeout`) are real and do not follow. */
  advance(milliseconds: number): void
}

export function testClock(start: number | string | Date = START): TestClock {
  let now = new Date(start).getTime()
  if (!Number.isFinite(now)) throw new TypeError(`now: "${String(start)}" is no date`)
  return {
    now: () => now,
    advance: (milliseconds) => void (now += milliseconds),
  }
}
