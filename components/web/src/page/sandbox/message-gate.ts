/**
 * Decides what of an app's messages reaches the page: JSON of a limited size, at a limited rate. It runs in the sandbox, which
 * browsers can put into a process of its own, so that a flood does not take the page's time.
 */

/** Messages at once, and then in a second. A viewer that follows ten jobs sends twenty a second. */
const BURST = 300
const PER_SECOND = 60
/** Characters of a message: a picture that is saved has 7 million. */
const LONGEST = 12_000_000

export type Passed =
  | { kind: 'message'; message: unknown }
  /** It is not JSON, or too long. */
  | { kind: 'dropped' }
  | { kind: 'stop'; reason: 'flood' }
  | { kind: 'stopped' }

/** @param now milliseconds, for tests. */
export function createGate(now: () => number = () => performance.now()): (data: unknown) => Passed {
  let left = BURST
  let at = now()
  let isStopped = false
  return (data) => {
    if (isStopped) return { kind: 'stopped' }
    const time = now()
    left = Math.min(BURST, left + ((time - at) / 1000) * PER_SECOND)
    at = time
    if (left < 1) {
      isStopped = true
      return { kind: 'stop', reason: 'flood' }
    }
    left--
    return copied(data)
  }
}

/** A copy has neither ports nor files nor memory that is shared with the app. */
function copied(data: unknown): Passed {
  try {
    const text = JSON.stringify(data) as string | undefined
    if (text === undefined || text.length > LONGEST) return { kind: 'dropped' }
    return { kind: 'message', message: JSON.parse(text) as unknown }
  } catch {
    return { kind: 'dropped' }
  }
}
