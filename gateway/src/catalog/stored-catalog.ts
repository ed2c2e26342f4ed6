/** The catalog in the key-value store: the last good answer of every component. */
import { isObject } from 'ftl-http'
import { logError } from '../log.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
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

/** The stored catalog; empty when nothing is stored or the store cannot be used. */
export function loadCatalog(scope: Scope): Promise<StoredCatalog> {
  return loadEntry(scope, CATALOG_KEY).then(catalogOf, (error: unknown) => {
    logError(scope, 'catalog not read', error)
    return {}
  })
}

function catalogOf(stored: unknown): StoredCatalog {
  return isObject(stored) ? (stored as StoredCatalog) : {}
}

export async function saveCatalog(scope: Scope, catalog: StoredCatalog): Promise<void> {
  try {
    await saveEntry(scope, CATALOG_KEY, JSON.stringify(catalog))
  } catch (error) {
    // Without a store the gateway is slower, not broken: every call asks the components.
    logError(scope, 'catalog not written', error)
  }
}
