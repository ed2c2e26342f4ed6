/** When the outline of the stored catalog is made, and when it can be used. */
import { type Scope, widened } from '../scope.ts'
import { LARGE, makeOutline, type Outline } from './outline.ts'
import { tokensOf } from './list-settings.ts'
import { isFresh } from './fresh.ts'
import { NamedCatalog } from './named-catalog.ts'
import type { StoredCatalog } from './stored-catalog.ts'

/** @param length characters of the catalog. @returns `undefined` for a catalog that is parsed fast. */
export function outlineOf(
  scope: Scope,
  stored: StoredCatalog,
  length: number,
): Outline | undefined {
  if (length < LARGE) return undefined
  const catalog = new NamedCatalog(widened(scope), stored)
  const asked = Object.entries(stored).map(([name, { askedAt, build, reason }]) => [
    name,
    [askedAt, build, reason !== undefined],
  ])
  return makeOutline(catalog, scope.settings, {
    digest: catalog.digest,
    // Nearly all of what is stored is what is listed.
    tokens: tokensOf(length),
    settings: settingsOf(scope),
    asked: Object.fromEntries(asked) as Outline['asked'],
  })
}

/** Whether it is about these settings, and none of the components of the request must be asked again. */
export function isUsable(scope: Scope, { settings, asked }: Outline): boolean {
  if (settings !== settingsOf(scope)) return false
  const now = scope.platform.now()
  return scope.components.every((name) => {
    const [askedAt, build, hasFailed] = (Object.hasOwn(asked, name) && asked[name]) || []
    return hasFailed === false && build === scope.settings.devBuild && isFresh(scope, askedAt, now)
  })
}

function settingsOf({ settings: { listSettings, toolComponents } }: Scope): string {
  return `${listSettings.text} ${[...toolComponents.keys()].join()}`
}
