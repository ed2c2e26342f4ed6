/**
 * A large catalog in the key-value store: what a call reads of it does not grow with the number of tools.
 *
 * The entry `catalog:v3` is then only a head. It names the other entries: one with the whole catalog, and the tools, each in
 * one of up to 64 by its name. They have one of two places. New ones are written to the other place, so a request finds
 * those that its head names. Each has the id of its catalog, because two instances may write at once.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import type { CallCatalog, CatalogTool } from './catalog.ts'
import type { NamedCatalog } from './named-catalog.ts'
import { RENAMING } from './names.ts'
import { isOld } from './fresh.ts'
import type { StoredCatalog, StoredComponent } from './stored-catalog.ts'

/**
 * One entry for all components, so that a call needs one read; a large catalog has further ones. Its number changes with
 * everything that is made from what components publish.
 */
export const CATALOG_KEY = 'catalog:v3'

export interface Parts {
  /** Of what the other entries are made of. */
  id: string
  place: number
  /** How many entries have the tools. */
  buckets: number
  /** The components that it was made for. */
  components: string
  /** Those that have pins. */
  pinned: string[]
  /** By component, without what it published. */
  asked: Record<string, StoredComponent>
}

/** Characters of the tools in one entry, and how many such entries there are at most. */
const BUCKET_SIZE = 50_000
const MOST_BUCKETS = 64

/** Writes the other entries, unless they are those that are there. @returns the new head. */
export async function saveParts(
  scope: Scope,
  stored: StoredCatalog,
  catalog: NamedCatalog,
  before: Parts | undefined,
): Promise<Parts> {
  const components = componentsOf(scope)
  const asked: Parts['asked'] = {}
  const pinned: string[] = []
  const timeless: StoredCatalog = {}
  for (const [name, { published, ...rest }] of Object.entries(stored)) {
    asked[name] = rest
    timeless[name] = { ...rest, askedAt: 0, ...(published && { published }) }
    if (published?.differences) pinned.push(name)
  }
  const text = JSON.stringify(timeless)
  const id = await sha256(components + text)
  if (before?.id === id) return { ...before, asked }
  const buckets = Math.min(MOST_BUCKETS, Math.ceil(text.length / BUCKET_SIZE))
  const parts = { id, place: before?.place === 0 ? 1 : 0, buckets, components, pinned, asked }
  const byBucket = Array.from({ length: buckets }, (): Record<string, CatalogTool> => ({}))
  for (const tool of [...catalog.tools, ...catalog.withheld('tools')]) {
    ;(byBucket[bucketOf(tool.name, buckets)] as Record<string, CatalogTool>)[tool.name] = tool
  }
  await Promise.all([
    saveEntry(scope, keyOf(parts), `["${id}",${text}]`),
    ...byBucket.map((tools, bucket) =>
      saveEntry(scope, keyOf(parts, bucket), JSON.stringify([id, tools])),
    ),
  ])
  return parts
}

/** All of it; empty if another instance has written over it. */
export async function loadWhole(scope: Scope, parts: Parts): Promise<StoredCatalog> {
  const whole = (await loadPart(scope, parts)) as StoredCatalog | undefined
  const known = Object.entries(whole ?? {})
  return Object.fromEntries(
    known.map(([name, entry]) => [name, { ...entry, ...parts.asked[name] }]),
  )
}

/** @returns `undefined` if the whole catalog is needed. */
export async function loadForCall(
  scope: Scope,
  parts: Parts,
  name: string,
): Promise<CallCatalog | undefined> {
  const { only } = scope
  if (parts.components !== componentsOf(scope)) return undefined
  const tools = await loadPart(scope, parts, bucketOf(name, parts.buckets))
  if (!tools) return undefined
  const tool = Object.hasOwn(tools, name) ? (tools[name] as CatalogTool) : undefined
  // At the address of one component its tools have their own names.
  if (only !== undefined && (tool?.component !== only || name.includes(RENAMING))) return undefined
  return {
    tool: (asked) => (asked === name ? tool : undefined),
    notCompared: parts.pinned.filter(
      (pinned) => scope.components.includes(pinned) && isOld(scope, parts.asked[pinned]),
    ),
  }
}

async function loadPart(
  scope: Scope,
  parts: Parts,
  bucket?: number,
): Promise<Record<string, unknown> | undefined> {
  const stored = await loadEntry(scope, keyOf(parts, bucket))
  if (!Array.isArray(stored)) return undefined
  const [id, content] = stored as unknown[]
  return id === parts.id && isObject(content) ? content : undefined
}

function keyOf({ place }: Pick<Parts, 'place'>, bucket: number | '' = ''): string {
  return `${CATALOG_KEY}:${place}:${bucket}`
}

function bucketOf(name: string, buckets: number): number {
  let bucket = 0
  // A prime above the number of buckets, so that each character counts.
  for (let at = 0; at < name.length; at++) {
    bucket = (bucket * 131 + name.charCodeAt(at)) % buckets
  }
  return bucket
}

/** The order decides which of them keeps a name. */
function componentsOf({ settings }: Scope): string {
  return [...settings.toolComponents.keys()].join()
}
