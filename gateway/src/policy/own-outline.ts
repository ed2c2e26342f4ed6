/**
 * The outline of a large catalog as one caller sees it, or at the address of one component.
 *
 * To decide about 2,000 tools by 20 rules takes longer than all else that a list does. So the first list of a caller decides,
 * and what it found is stored; later ones of callers with the same rights, and their searches, read it. The key covers
 * the rules and the entry names the catalog, so that none of them is used after either has changed.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { toolsOf } from '../calls/listed-tools.ts'
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import { logError } from '../log.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { isOutline, makeOutline, type Outline } from '../catalog/outline.ts'
import { permittedIn } from '../catalog/permitted-places.ts'
import { tokensUpTo } from '../catalog/visible-tools.ts'

interface OwnOutline extends Outline {
  /** Whose it is. */
  of: string
  /** The digest of the whole catalog. */
  whole: string
}

/** Entries of all callers together: one is replaced by another with the same beginning of its key. */
const SLOT_DIGITS = 2
/** Tokens of tools that are stored with it; a longer list is read from the catalog. */
const LONGEST_LIST = 16_000

/** @param whole the outline of the catalog as it is now. */
export async function loadOwnOutline(scope: Scope, whole: Outline): Promise<Outline | undefined> {
  try {
    const of = await ownerOf(scope)
    const own = await loadEntry(scope, keyOf(of))
    return isOwn(own) &&
      own.of === of &&
      own.whole === whole.digest &&
      own.settings === whole.settings
      ? own
      : undefined
  } catch (error) {
    logError(scope, 'outline of the list not read', error)
    return undefined
  }
}

/** @param catalog as the caller sees it. @param enters the components that have an address for the caller. */
export async function saveOwnOutline(
  scope: Scope,
  { digest: whole, settings }: Outline,
  catalog: Catalog,
  enters: readonly string[],
): Promise<void> {
  const { listSettings } = scope.settings
  const all = catalog.whole ?? catalog
  const { digest } = all
  if (digest === undefined) return
  try {
    const of = await ownerOf(scope)
    const list = listed(catalog, listSettings.budgetTokens)
    const rest = { digest, tokens: list.tokens, settings }
    const own: OwnOutline = {
      ...makeOutline(catalog, scope.settings, rest),
      of,
      whole,
      enters,
      ...(list.full && { full: list.full }),
      ...(catalog.whole && { permitted: permittedIn(all.tools, catalog.tools) }),
    }
    await saveEntry(scope, keyOf(of), JSON.stringify(own))
  } catch (error) {
    // The next list decides again.
    logError(scope, 'outline of the list not written', error)
  }
}

/** Its tokens, as far as the budget goes, and the tools of a list that is within it. */
function listed(catalog: Catalog, budgetTokens: number): { tokens: number; full?: CatalogTool[] } {
  const tokens = tokensUpTo(toolsOf(catalog), budgetTokens)
  return tokens > Math.min(budgetTokens, LONGEST_LIST)
    ? { tokens }
    : { tokens, full: catalog.tools }
}

/** The rights, and the one component: callers with the same get the same lists. */
function ownerOf({ only, permissions }: Scope): Promise<string> {
  return sha256(JSON.stringify([only ?? null, permissions?.rights ?? null]))
}

const keyOf = (owner: string) => `tool-list:v1:${owner.slice(0, SLOT_DIGITS)}`

function isOwn(value: unknown): value is OwnOutline {
  return isObject(value) && isOutline(value) && 'of' in value && 'whole' in value
}
