import { constants } from 'node:os'

/** A terminal's Ctrl-C reaches every process of its group, and one that started this passes it on, so a press may arrive twice. */
const SAME_PRESS_MS = 1000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof SIGNALS)[number]

/**
 * Calls `stop` at the first Ctrl-C or SIGTERM; a second press ends the process at once.
 *
 * @returns what ends this.
 */
export function onSignal(
  stop: (signal: NodeJS.Signals) => void,
  signals: readonly StopSignal[] = SIGNALS,
): () => void {
  let first = 0
  const receive = (signal: NodeJS.Signals) => {
    const now = Date.now()
    if (first === 0) {
      first = now
      stop(signal)
    } else if (now - first > SAME_PRESS_MS) {
      process.exit(130)
    }
  }
  for (const signal of signals) process.on(signal, receive)
  return () => {
    for (const signal of signals) process.off(signal, receive)
  }
}

/** Settles at the first signal, with it; see {@link onSignal}. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => void onSignal(resolve))
}

/**
 * Starts something and closes it at the first signal. A signal during the start ends the process at once. Listening for
 * signals begins before the start: a caller that has read "Serving" may send one before the next statement runs.
 *
 * @param start also prints the addresses.
 * @param stopping runs at the signal, before the close.
 */
export async function runUntilSignal(
  start: () => Promise<{ close(): Promise<void> }>,
  stopping = () => {},
): Promise<void> {
  let started = false
  const stopped = untilSignal().then((signal) => {
    if (!started) process.exit(128 + constants.signals[signal])
  })
  const running = await start()
  started = true
  await stopped
  stopping()
  await running.close()
}
