/**
 * Signal handling of a process that runs a bridge.
 *
 * miniflare answers SIGINT and SIGTERM with `process.exit`, so other code could not close its resources first. Here a
 * signal ends the process, and workerd with it, only if no other code listens for it.
 */

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]

/** Listeners of all bridges in this process. */
const ours = new Set<unknown>()

/**
 * Runs `create` and removes the signal listeners it has added.
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
      // miniflare's listener for the exit event, which stays, ends workerd.
      if (alone) process.exit(128 + SIGNALS[name])
    }
    ours.add(listener)
    // Runs first, because a listener added with `once` is removed from the list as soon as it runs.
    process.prependListener(name, listener)
    return () => {
      ours.delete(listener)
      process.removeListener(name, listener)
    }
  })
  return { created, release: () => releases.forEach((release) => release()) }
}
