/**
 * What outlives the page, in `localStorage`: this browser's own, never sent anywhere.
 *
 * @module
 */
import { createStore, type Store } from './store.ts'

const PREFIX = 'ftl.'

/** Storage may be full, or switched off: the page then works as well, until it is closed. */
export function save(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // Nothing that could be done.
  }
}

/** Nothing where there is none, or it cannot be read. */
export function load(key: string): unknown {
  try {
    return parse(localStorage.getItem(PREFIX + key))
  } catch {
    return undefined
  }
}

/** Keys that begin so, without what they begin with. */
export function savedKeys(start: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length + start.length))
  } catch {
    return []
  }
}

/** Hears of changes that another tab makes. */
export function onSaved(listener: (key: string, value: unknown) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) listener(key.slice(PREFIX.length), parse(newValue))
  })
}

/** A store that is the same in every tab and after a reload. */
export function savedStore<T extends object>(key: string, first: T): Store<T> {
  const store = createStore<T>({ ...first, ...asObject(load(key)) })
  onSaved((changed, value) => {
    if (changed === key) store.set(() => ({ ...first, ...asObject(value) }))
  })
  return {
    ...store,
    set(change) {
      store.set(change)
      save(key, store.get())
    },
  }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
