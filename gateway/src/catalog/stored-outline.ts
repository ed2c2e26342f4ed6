/** When the outline of the stored catalog is made, and when it can be used. */
import { type Scope, widened } from '../scope.ts'
import { LARGE, makeOutline, type Outline } from './outline.ts'
import { tokensOf } from './list-settings.ts'
import type { Parts } from './catalog-parts.ts'
import { isFresh } from './fresh.ts'
import { NamedCatalog } from './named-catalog.ts'
import type { StoredCatalog } from './stored-catalog.ts'

/** @param length characters of the catalog. @returns `undefined` for a catalog that is parsed fast. */
export function largeOf(
  scope: Scope,
  stored: StoredCatalog,
  length: number,
): { outline: Outline; named: NamedCatalog } | undefined {
  if (length < LARGE) return undefined
  const named = new NamedCatalog(widened(scope), stored)
  const outline = makeOutline(named, scope.settings, {
    digest: named.digest,
    // Nearly all of what is stored is what is listed.
    tokens: tokensOf(length),
    settings: settingsOf(scope),
  })
  return { outline, named }
}

/** Whether it is about these settings, and none of the components of the request must be asked again. */
export function isUsable(scope: Scope, { settings }: Outline, { asked }: Parts): boolean {
  if (settings !== settingsOf(scope)) return false
  const now = scope.platform.now()
  return scope.components.every((name) => {
    const entry = Object.hasOwn(asked, name) ? asked[name] : undefined
    return (
      entry?.build === scope.settings.devBuild &&
      entry.reason === undefined &&
      isFresh(scope, entry.askedAt, now)
    )
  })
}

function settingsOf({ settings: { listSettings, toolComponents } }: Scope): string {
  return `${listSettings.text} ${[...toolComponents.keys()].join()}`
}
