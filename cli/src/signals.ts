/** A terminal's Ctrl-C reaches every process of its group, so one press may arrive twice. */
const SAME_PRESS_MS = 1000

/** Settles at the first Ctrl-C or SIGTERM; a second press ends the process at once. */
export async function untilSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    let first = 0
    const stop = () => {
      const now = Date.now()
      if (first === 0) {
        first = now
        resolve()
      } else if (now - first > SAME_PRESS_MS) {
        process.exit(130)
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
