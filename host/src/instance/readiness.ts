/** Pollables that a guest can wait for, and signals that wake it without promises that outlive the wait. */

/** Something a guest waits for; the host's side of a `wasi:io/poll` pollable. */
export interface Pollable {
  ready(): boolean
  /** Calls `wake` at the next change that may have made it ready. The returned function unsubscribes. */
  onReady(wake: () => void): () => void
}

/** Notifies any number of waiters of a change, each at most once. */
export class Signal {
  readonly #waiters = new Set<() => void>()

  subscribe(wake: () => void): () => void {
    this.#waiters.add(wake)
    return () => this.#waiters.delete(wake)
  }

  notify(): void {
    if (this.#waiters.size === 0) return
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const wake of waiters) wake()
  }
}

export const ALWAYS_READY: Pollable = { ready: () => true, onReady: () => () => {} }

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
