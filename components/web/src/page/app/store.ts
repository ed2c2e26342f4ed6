/** Values that views look at: a handful of lines instead of a library. */
import { useEffect, useState } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(change: (value: T) => T): void
  /** @returns what ends it. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(change) {
      const next = change(value)
      if (next === value) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState<T>(() => store.get())
  useEffect(() => {
    const update = () => setValue(() => store.get())
    // It may have changed between the first render and this effect.
    update()
    return store.subscribe(update)
  }, [store])
  return value
}
