/** Data that outlives the page, in this browser's `localStorage`; it is never sent anywhere. */
import { jsonOf } from 'ftl-contract'
import { createStore, type Store } from './store.ts'

const PREFIX = 'ftl.'

/** Links to a user's files work without a token, so they are not stored. */
const LINKS = /\?link=[0-9a-z]{1,11}\.[\w-]{43}/g

/** Storage may be full or disabled: the page then works without it until it is closed. */
export function save(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, toSaved(value))
  } catch {
    // The page works without storage.
  }
}

/** A value as {@link save} writes it. */
export function toSaved(value: unknown): string {
  return JSON.stringify(value).replace(LINKS, '')
}

/** Saves what {@link toSaved} has made. @returns whether there was room for it. */
export function saveText(key: string, text: string): boolean {
  try {
    localStorage.setItem(PREFIX + key, text)
    return true
  } catch {
    // The page works without storage.
    return false
  }
}

/** @returns `undefined` if nothing is saved, or it cannot be read. */
export function load(key: string): unknown {
  try {
    return jsonOf(localStorage.getItem(PREFIX + key) ?? '')
  } catch {
    return undefined
  }
}

/** Keys that begin with `start`, without this prefix. */
export function savedKeys(start: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length + start.length))
  } catch {
    return []
  }
}

/** Calls `listener` for changes that another tab makes. */
export function onSaved(listener: (key: string, value: unknown) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) listener(key.slice(PREFIX.length), jsonOf(newValue ?? ''))
  })
}

/** Deletes all of it. */
export function forgetSaved(): void {
  for (const key of savedKeys('')) save(key, undefined)
}

/** A store that is shared by all tabs and survives a reload. */
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
