/** `node:events`: the package `events`, whose classes old libraries call without `new`, and what is newer than it. */
import EventEmitter from 'events/'

export const { defaultMaxListeners, once } = EventEmitter
export const captureRejectionSymbol = Symbol.for('nodejs.rejection')
/** Accepted; no event is sent under it. */
export const errorMonitor = Symbol('events.errorMonitor')

export const getEventListeners = (emitter: EventEmitter, name: string): unknown[] =>
  emitter.listeners(name)
export const listenerCount = (emitter: EventEmitter, name: string): number =>
  emitter.listenerCount(name)

export function setMaxListeners(most: number, ...emitters: EventEmitter[]): void {
  for (const emitter of emitters) emitter.setMaxListeners?.(most)
}

/** The events of one name, until the signal aborts or the emitter reports an error. */
export async function* on(
  emitter: EventEmitter,
  name: string,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<unknown[]> {
  const waiting: unknown[][] = []
  let failure: unknown
  let wake = (): void => {}
  const add = (...values: unknown[]): void => {
    waiting.push(values)
    wake()
  }
  const stop = (reason: unknown): void => {
    failure = reason
    wake()
  }
  const abort = (): void => stop(signal?.reason)
  emitter.on(name, add)
  if (name !== 'error') emitter.on('error', stop)
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    for (;;) {
      const values = waiting.shift()
      if (values) yield values
      else if (failure !== undefined) throw failure as Error
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    emitter.off(name, add)
    emitter.off('error', stop)
    signal?.removeEventListener('abort', abort)
  }
}

Object.assign(EventEmitter, {
  captureRejectionSymbol,
  errorMonitor,
  getEventListeners,
  listenerCount,
  on,
  setMaxListeners,
})

export { EventEmitter }
export default EventEmitter
