/** The catalog in the key-value store: the last good answer of every component. */
import { isObject } from 'ftl-contract'
import { logError } from '../log.ts'
import { jsonOf } from 'ftl-platform'
import { changeBytes, loadBytes, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { isOutline, type Outline } from './outline.ts'
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

export function loadStored(scope: Scope): Promise<Stored> {
  return loadBytes(scope, CATALOG_KEY).then(parted, (error: unknown) => {
    logError(scope, 'catalog not read', error)
    return parted(undefined)
  })
}

/** The outline is a list of one, on a line before the catalog. */
function parted(bytes: Uint8Array | undefined): Stored {
  const end = bytes?.[0] === OPEN ? bytes.indexOf(NEWLINE) : -1
  const [outline] = end < 0 ? [] : (jsonOf<unknown[]>(bytes?.subarray(0, end)) ?? [])
  return {
    outline: isOutline(outline) ? outline : undefined,
    catalog() {
      const stored = jsonOf<unknown>(end < 0 ? bytes : bytes?.subarray(end + 1))
      return isObject(stored) ? (stored as StoredCatalog) : {}
    },
  }
}

const OPEN = 0x5b
const NEWLINE = 0x0a

/** The stored catalog; empty when nothing is stored or the store cannot be used. */
export function loadCatalog(scope: Scope): Promise<StoredCatalog> {
  return loadStored(scope).then((stored) => stored.catalog())
}

/**
 * Takes the next question to these components for this instance: for others their entries then count as new, also if this
 * instance crashes. So when entries get too old, one of all instances and hosts asks.
 *
 * @param before the catalog as this instance has read it.
 * @returns the components that this instance is to ask.
 */
export async function takeQuestions(
  scope: Scope,
  components: readonly string[],
  before: StoredCatalog,
): Promise<readonly string[]> {
  const { catalogTtlMs, devBuild, hostConditionalWrites } = scope.settings
  // Without a TTL, and while components are developed, a list is what they publish at this moment.
  if (catalogTtlMs === 0 || devBuild !== '' || !hostConditionalWrites) return components
  // An instance that has no answer of a component to give needs one now.
  const known = components.filter((name) => before[name]?.published)
  if (known.length === 0) return components
  const now = scope.platform.now()
  let taken: readonly string[] = known
  try {
    await changeBytes(scope, CATALOG_KEY, (bytes) => {
      const latest = parted(bytes).catalog()
      taken = known.filter((name) => latest[name]?.askedAt === before[name]?.askedAt)
      if (taken.length === 0) return undefined
      const asked = taken.flatMap((name) => {
        const entry = latest[name]
        return entry ? [[name, { ...entry, askedAt: now }] as const] : []
      })
      // Without the outline: the answers bring a new one.
      return JSON.stringify({ ...latest, ...Object.fromEntries(asked) })
    })
  } catch (error) {
    logError(scope, 'catalog not written', error)
  }
  return components.filter((name) => taken.includes(name) || !known.includes(name))
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
