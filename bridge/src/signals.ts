/**
 * What a signal does to a process that holds a bridge.
 *
 * miniflare answers SIGINT and SIGTERM with `process.exit`, which would cut off whoever wants to close other
 * things first. Here a signal ends the process only if nobody else listens for it, and then workerd goes with it.
 *
 * @module
 */

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]

/** Listeners of all bridges in this process. */
const ours = new Set<unknown>()

/**
 * Runs `create` and takes back the listeners it has put on signals.
 *
 * @returns what `create` returned, and `release`, to be called when the bridge is closed.
 */
export function withoutSignalHandlers<T>(create: () => T): { created: T; release: () => void } {
  const before = new Map(names.map((name) => [name, process.listeners(name)]))
  const created = create()
  const releases = names.map((name) => {
    for (const listener of process.listeners(name)) {
      if (!before.get(name)?.includes(listener)) process.removeListener(name, listener)
    }
    const listener = () => {
      const alone = process.listeners(name).every((other) => ours.has(other))
      // The exit event, which miniflare keeps, is what ends workerd.
      if (alone) process.exit(128 + SIGNALS[name])
    }
    ours.add(listener)
    // First in line, because a listener put on with `once` is off the list as soon as it runs.
    process.prependListener(name, listener)
    return () => {
      ours.delete(listener)
      process.removeListener(name, listener)
    }
  })
  return { created, release: () => releases.forEach((release) => release()) }
}
