/** Simulated time: what happens next, in the order of time. */

interface Event {
  at: number
  /** Events of the same moment happen in the order in which they were planned. */
  order: number
  run: () => void
}

export class Clock {
  /** Simulated milliseconds since the start. */
  now = 0
  #planned = 0
  /** A binary heap: the parent of `i` is `(i - 1) >> 1` and never later than its children. */
  readonly #heap: Event[] = []

  /** Runs `run` in `ms` simulated milliseconds. */
  after(ms: number, run: () => void): void {
    const heap = this.#heap
    const event = { at: this.now + ms, order: this.#planned++, run }
    let index = heap.length
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above] as Event
      if (isBefore(parent, event)) break
      heap[index] = parent
      index = above
    }
    heap[index] = event
  }

  /** Runs what is planned, and what that plans, up to this moment. */
  runUntil(end: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#removeFirst()
      this.now = next.at
      next.run()
    }
    this.now = end
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      if (left >= heap.length) break
      const right = heap[left + 1]
      const isRight = right !== undefined && isBefore(right, heap[left] as Event)
      const child = (isRight ? right : heap[left]) as Event
      if (isBefore(last, child)) break
      heap[index] = child
      index = isRight ? left + 1 : left
    }
    heap[index] = last
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)
