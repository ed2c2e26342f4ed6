/** The index of the catalog in the key-value store, in an entry of its own: a call of a tool does not read it. */
import { isObject, pause } from 'ftl-contract'
import type { Catalog } from '../catalog/catalog.ts'
import type { Gateway } from '../gateway.ts'
import { logError } from '../log.ts'
import { loadBytes, loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { buildIndex, IndexBuilder } from './build-index.ts'
import { IndexText } from './index-text.ts'
import { isOutline } from '../catalog/outline.ts'
import { permittedIn } from '../catalog/permitted-places.ts'

const INDEX_KEY = 'tool-index:v1'

/** At the address of one component its tools have other names, so it has an index of its own. */
function keyOf({ only }: Pick<Scope, 'only'>): string {
  return only === undefined ? INDEX_KEY : `${INDEX_KEY}:${only}`
}

/** Tools of which an index is made as fast as it is read. */
const FEW = 30

export interface FoundIndex {
  index: IndexText
  /** Those of its tools that the caller may see (`permitted-places.ts`). @default all */
  permitted?: string | undefined
  /** The catalog, if it was read. */
  catalog?: Catalog
}

/** The index of what the request is about. It is made again if the catalog has changed since. */
export async function findIndex(
  gateway: Pick<Gateway, 'tools'>,
  scope: Scope,
): Promise<FoundIndex> {
  const known = await (gateway.tools.outline?.(scope) ?? gateway.tools.list(scope))
  if (isOutline(known)) {
    const index = await loadIndex(scope, known.digest)
    if (index) return { index, permitted: known.permitted }
  }
  const catalog = isOutline(known) ? await gateway.tools.list(scope) : known
  const whole = catalog.whole ?? catalog
  if (whole.digest === undefined || whole.tools.length <= FEW) {
    return { index: made(catalog, ''), catalog }
  }
  const { digest } = whole
  const index = (await loadIndex(scope, digest)) ?? (await saveIndex(scope, whole, digest))
  const permitted = catalog.whole && permittedIn(whole.tools, catalog.tools)
  return { index, permitted, catalog }
}

async function loadIndex(scope: Scope, digest: string): Promise<IndexText | undefined> {
  try {
    const bytes = await loadBytes(scope, keyOf(scope))
    const index = bytes && IndexText.of(new TextDecoder().decode(bytes))
    return index?.head.digest === digest ? index : undefined
  } catch (error) {
    logError(scope, 'index of tools not read', error)
    return undefined
  }
}

/** The catalog of which an index is being made. */
const CLAIM_KEY = 'tool-index:claim'
/** Milliseconds after which it is made again, if the instance that made it has ended. */
const CLAIM_MS = 30_000

/** Makes the index of a catalog that has changed, unless another request does so. */
export async function renewIndex(scope: Scope, catalog: Catalog, digest: string): Promise<void> {
  const now = scope.platform.now()
  try {
    const claim = await loadEntry(scope, CLAIM_KEY)
    const isMade = isObject(claim) && claim.digest === digest && typeof claim.at === 'number'
    if (isMade && (claim.at as number) > now - CLAIM_MS && (claim.at as number) <= now) return
    await saveEntry(scope, CLAIM_KEY, JSON.stringify({ digest, at: now }))
  } catch (error) {
    logError(scope, 'index of tools not made', error)
    return
  }
  await saveIndex(scope, catalog, digest)
}

/** Makes the index of a catalog and stores it. */
async function saveIndex(scope: Scope, catalog: Catalog, digest: string): Promise<IndexText> {
  const builder = new IndexBuilder()
  for (const [place, tool] of catalog.tools.entries()) {
    // So that it does not keep its thread from other requests for a second.
    if (place % STEP === STEP - 1) await pause(0)
    builder.add(tool)
  }
  const text = builder.text(digest)
  try {
    await saveEntry(scope, keyOf(scope), text)
  } catch (error) {
    // The next search makes it again.
    logError(scope, 'index of tools not written', error)
  }
  return IndexText.of(text) as IndexText
}

/** Tools between two pauses. */
const STEP = 50

function made({ tools }: Catalog, digest: string): IndexText {
  return IndexText.of(buildIndex(tools, digest)) as IndexText
}
