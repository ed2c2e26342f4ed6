/** How long a client waits before it connects again. */

/** A server that restarts is back within seconds: a longer pause would only delay the result. */
const LONGEST_MS = 8_000

/**
 * Each pause is twice as long as the one before, and 50 to 100 % of that, by chance: thousands of clients that lose the
 * same server must not come back in the same moment.
 *
 * @param attempt 0 for the first pause.
 * @param firstMs milliseconds. @default 250
 * @param random gives numbers from 0 to 1.
 */
export function reconnectPauseMs(
  attempt: number,
  firstMs = 250,
  random: () => number = Math.random,
): number {
  return Math.min(firstMs * 2 ** attempt, Math.max(LONGEST_MS, firstMs)) * (0.5 + random() / 2)
}
