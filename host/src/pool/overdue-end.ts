/**
 * When a terminated thread counts as one that does not end.
 *
 * A thread needs up to 60 ms of processor time for its end. On a machine that is busy with other things, nine of
 * them took 1.4 seconds for it (measured), while a thread that really stays keeps the process computing. So the
 * clock alone does not decide.
 */

/** Milliseconds, also of processor time of the process, after which it is overdue. Most threads end within 4 ms. */
const OVERDUE_MS = 2000

/** Milliseconds after which it is overdue even if the process does not compute: something blocks the thread. */
const BLOCKED_MS = 20_000

/** Milliseconds between looks. */
const LOOK_MS = 250

/** Milliseconds by the clock, and of processor time of the process. */
export interface Elapsed {
  clock: number
  processor: number
}

export function isOverdue({ clock, processor }: Elapsed): boolean {
  return clock >= BLOCKED_MS || Math.min(clock, processor) >= OVERDUE_MS
}

/** Calls `onOverdue` once unless `ended` resolves before. */
export function watchEnd(ended: Promise<void>, onOverdue: () => void): void {
  const started = performance.now()
  const before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    const clock = performance.now() - started
    if (!isOverdue({ clock, processor: (user + system) / 1000 })) return
    clearInterval(timer)
    // Timers come first after the event loop was blocked: the thread's end may be the next event.
    setImmediate(() => {
      if (!hasEnded) onOverdue()
    })
  }, LOOK_MS)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
    clearInterval(timer)
  })
}
