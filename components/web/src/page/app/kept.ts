/** State of a view that is still there when the user comes back to it. It is in memory only. */
import { useState } from 'preact/hooks'

const kept = new Map<string, unknown>()

type Change<T> = (change: (before: T) => T) => void

/** A change counts also after the view has gone: the result of a call may come later. */
export function useKept<T>(key: string, first: () => T): [T, Change<T>] {
  const [value, setValue] = useState<T>(() => {
    if (!kept.has(key)) kept.set(key, first())
    return kept.get(key) as T
  })
  return [
    value,
    (change) => {
      const next = change(kept.has(key) ? (kept.get(key) as T) : value)
      kept.set(key, next)
      setValue(() => next)
    },
  ]
}

export function forgetKept(key: string): void {
  kept.delete(key)
}
