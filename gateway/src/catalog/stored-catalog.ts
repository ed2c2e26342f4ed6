/** The catalog in the key-value store: the last good answer of every component. */
import { isObject } from 'ftl-contract'
import { logError } from '../log.ts'
import { jsonOf } from 'ftl-platform'
import { changeBytes, loadBytes, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { CATALOG_KEY, loadWhole, type Parts, saveParts } from './catalog-parts.ts'
import type { NamedCatalog } from './named-catalog.ts'
import { isOutline, type Outline } from './outline.ts'
import type { Published } from './discovery.ts'

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
export type Stored = Small | Large

interface Small {
  parts?: undefined
  /** Empty when nothing is stored or the store cannot be used. */
  catalog(): StoredCatalog
}

export interface Large {
  parts: Parts
  outline(): Outline | undefined
  catalog(): Promise<StoredCatalog>
}

export function loadStored(scope: Scope): Promise<Stored> {
  return loadBytes(scope, CATALOG_KEY).then(
    (bytes) => storedIn(scope, bytes),
    (error: unknown) => storedIn(scope, notRead(scope, error)),
  )
}

function notRead(scope: Scope, error: unknown): undefined {
  logError(scope, 'catalog not read', error)
}

function storedIn(scope: Scope, bytes: Uint8Array | undefined): Stored {
  const { parts, rest } = headOf(bytes)
  if (!parts) return { catalog: () => catalogIn(rest) }
  return {
    parts,
    outline() {
      const outline = jsonOf<unknown>(rest)
      return isOutline(outline) ? outline : undefined
    },
    catalog: () => loadWhole(scope, parts).catch((error: unknown) => notRead(scope, error) ?? {}),
  }
}

/** The head of a large catalog is a list of one, on a line before the outline. */
function headOf(bytes: Uint8Array | undefined): {
  parts?: Parts | undefined
  rest: Uint8Array | undefined
} {
  const end = bytes?.[0] === OPEN ? bytes.indexOf(NEWLINE) : -1
  if (end < 0) return { rest: bytes }
  const [parts] = jsonOf<unknown[]>(bytes?.subarray(0, end)) ?? []
  return {
    parts: isObject(parts) ? (parts as unknown as Parts) : undefined,
    rest: bytes?.subarray(end + 1),
  }
}

function textOf(parts: Parts, outline: string): string {
  return `${JSON.stringify([parts])}\n${outline}`
}

function catalogIn(bytes: Uint8Array | undefined): StoredCatalog {
  const stored = jsonOf<unknown>(bytes)
  return isObject(stored) ? (stored as StoredCatalog) : {}
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
      const { parts, rest } = headOf(bytes)
      const latest = parts?.asked ?? catalogIn(rest)
      taken = known.filter((name) => latest[name]?.askedAt === before[name]?.askedAt)
      if (taken.length === 0) return undefined
      const asked = taken.flatMap((name) => {
        const entry = latest[name]
        return entry ? [[name, { ...entry, askedAt: now }] as const] : []
      })
      const next = { ...latest, ...Object.fromEntries(asked) }
      return parts
        ? textOf({ ...parts, asked: next }, new TextDecoder().decode(rest))
        : JSON.stringify(next)
    })
  } catch (error) {
    logError(scope, 'catalog not written', error)
  }
  return components.filter((name) => taken.includes(name) || !known.includes(name))
}

/** @param large makes the outline of a catalog and its names, if its text is long enough to need them. */
export async function saveCatalog(
  scope: Scope,
  catalog: StoredCatalog,
  large: (length: number) => { outline: Outline; named: NamedCatalog } | undefined,
): Promise<Outline | undefined> {
  try {
    const text = JSON.stringify(catalog)
    const { outline, named } = large(text.length) ?? {}
    if (!outline || !named) {
      await saveEntry(scope, CATALOG_KEY, text)
      return undefined
    }
    const before = headOf(await loadBytes(scope, CATALOG_KEY)).parts
    const parts = await saveParts(scope, catalog, named, before)
    await saveEntry(scope, CATALOG_KEY, textOf(parts, JSON.stringify(outline)))
    return outline
  } catch (error) {
    // Without a store the gateway is slower, not broken: every call asks the components.
    logError(scope, 'catalog not written', error)
    return undefined
  }
}
