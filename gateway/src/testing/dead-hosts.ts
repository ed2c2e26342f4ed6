/** Hosts that die in a test still have timers: after 30 s one would report a call that gave no answer. */
import { afterAll, beforeAll } from 'vitest'

/** Ends the timers of a file of tests with it. Files of one worker share the console, and other tests look at what it gets. */
export function endTimersWithThisFile(): void {
  const { setTimeout } = globalThis
  const begun: NodeJS.Timeout[] = []
  beforeAll(() => {
    const noted = (...given: Parameters<typeof setTimeout>) => {
      const timer = setTimeout(...given)
      begun.push(timer)
      return timer
    }
    globalThis.setTimeout = Object.assign(noted, setTimeout) as typeof setTimeout
  })
  afterAll(() => {
    globalThis.setTimeout = setTimeout
    for (const timer of begun) clearTimeout(timer)
  })
}
