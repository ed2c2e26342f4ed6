/** State of a view that is still there when the user comes back to it. It is in memory only. */
import { useEffect, useState } from 'preact/hooks'

const kept = new Map<string, unknown>()
/** Of the views that are open. */
const listeners = new Map<string, Set<() => void>>()

type Change<T> = (change: (before: T) => T) => void

/** A change counts also after the view has gone: the result of a call may come later. */
export function useKept<T>(key: string, first: () => T): [T, Change<T>] {
  const [value, setValue] = useState<T>(() => {
    if (!kept.has(key)) kept.set(key, first())
    return kept.get(key) as T
  })
  useEffect(() => {
    const all = listeners.get(key) ?? new Set()
    const update = () => setValue(() => kept.get(key) as T)
    listeners.set(key, all.add(update))
    // It may have changed between the first render and this effect.
    if (kept.has(key)) update()
    return () => void all.delete(update)
  }, [key])
  return [
    value,
    // The user may have left the view and come back: then another one shows the value now.
    (change) => {
      changeKept<T>(key, () => change(kept.has(key) ? (kept.get(key) as T) : value))
      setValue(() => kept.get(key) as T)
    },
  ]
}

/** Changes it from outside of its view. */
export function changeKept<T>(key: string, change: (before: T | undefined) => T): void {
  kept.set(key, change(kept.get(key) as T | undefined))
  for (const update of listeners.get(key) ?? []) update()
}

export function forgetKept(key: string): void {
  kept.delete(key)
}
