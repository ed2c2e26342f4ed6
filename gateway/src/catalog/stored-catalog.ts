/** The catalog in the key-value store: the last good answer of every component. */
import { isObject } from 'ftl-http'
import { logError } from '../log.ts'
import { jsonOf } from 'ftl-platform'
import { loadBytes, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { isOutline, type Outline } from '../search/outline.ts'
import type { Published } from './discovery.ts'

/** One entry for all components, so that a call needs one read. */
export const CATALOG_KEY = 'catalog:v2'

export interface StoredComponent {
  /** When it was last asked, in milliseconds since the epoch. */
  askedAt: number
  /** `dev_build` of the gateway that asked it; an answer of another build may be outdated. @default '' */
  build: string
  /** Its last good answer, however old. */
  published?: Published
  /** Why its last answer could not be used. */
  reason?: string
}

/** By component. */
export type StoredCatalog = Record<string, StoredComponent>

/** What is stored, parsed as far as it is used. */
export interface Stored {
  /** Of a large catalog. */
  outline: Outline | undefined
  /** Empty when nothing is stored or the store cannot be used. */
  catalog(): StoredCatalog
}

export async function loadStored(scope: Scope): Promise<Stored> {
  let bytes: Uint8Array | undefined
  try {
    bytes = await loadBytes(scope, CATALOG_KEY)
  } catch (error) {
    logError(scope, 'catalog not read', error)
  }
  // The outline is a list of one, on a line before the catalog.
  const end = bytes?.[0] === OPEN ? bytes.indexOf(NEWLINE) : -1
  const [outline] = end < 0 ? [] : (jsonOf<unknown[]>(bytes?.subarray(0, end)) ?? [])
  return {
    outline: isOutline(outline) ? outline : undefined,
    catalog() {
      const stored = jsonOf<unknown>(bytes?.subarray(end + 1))
      return isObject(stored) ? (stored as StoredCatalog) : {}
    },
  }
}

const OPEN = 0x5b
const NEWLINE = 0x0a

/** The stored catalog; empty when nothing is stored or the store cannot be used. */
export async function loadCatalog(scope: Scope): Promise<StoredCatalog> {
  return (await loadStored(scope)).catalog()
}

/** @param outlineOf makes the outline of a catalog, if its text is long enough to need one. */
export async function saveCatalog(
  scope: Scope,
  catalog: StoredCatalog,
  outlineOf: (length: number) => Outline | undefined,
): Promise<Outline | undefined> {
  try {
    const text = JSON.stringify(catalog)
    const outline = outlineOf(text.length)
    const head = outline ? `${JSON.stringify([outline])}\n` : ''
    await saveEntry(scope, CATALOG_KEY, head + text)
    return outline
  } catch (error) {
    // Without a store the gateway is slower, not broken: every call asks the components.
    logError(scope, 'catalog not written', error)
    return undefined
  }
}
