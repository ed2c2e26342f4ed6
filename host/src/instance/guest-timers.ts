/** Timers that a guest can wait for, and when guests must yield the thread. */
import type { Pollable } from '../http/wake-signal.ts'

/** Longest delay `setTimeout` supports; the poll loop checks again after it. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Ready at an instant of the monotonic clock, in nanoseconds. Holds a timer only while a guest waits. */
export class Timer implements Pollable {
  readonly #at: bigint

  constructor(at: bigint) {
    this.#at = at
  }

  ready(): boolean {
    return process.hrtime.bigint() >= this.#at
  }

  onReady(wake: () => void): () => void {
    const left = Number(this.#at - process.hrtime.bigint()) / 1e6
    const timer = setTimeout(wake, Math.min(Math.max(Math.ceil(left), 0), MAX_DELAY_MS))
    return () => clearTimeout(timer)
  }
}

/** How long guests may keep the thread before sockets and timers get their turn, in milliseconds. */
const TURN_MS = 5

let turnStartedAt = 0
let turnScheduled = false

/**
 * Whether guests have kept the thread for so long that the next wait must yield to the event loop.
 *
 * Guests that feed each other wake by microtasks only, and a timer of zero is always ready: without this
 * they starve sockets, timers and the collector.
 */
export function turnIsOver(): boolean {
  const now = performance.now()
  if (!turnScheduled) {
    turnScheduled = true
    turnStartedAt = now
    setImmediate(() => (turnScheduled = false))
    return false
  }
  return now - turnStartedAt > TURN_MS
}
