/** The default {@link ToolRepository}: discovery over service chaining, with a copy in the key-value store. */
import { logError } from '../log.ts'
import { unprotected } from '../own-entries.ts'
import { type Scope, widened } from '../scope.ts'
import type { CallCatalog, ToolRepository } from './catalog.ts'
import { loadForCall } from './catalog-parts.ts'
import { discover } from './discovery.ts'
import { isFresh } from './fresh.ts'
import { fingerprint, NamedCatalog } from './named-catalog.ts'
import { reportDifferences } from './report-differences.ts'
import { isUsable, largeOf } from './stored-outline.ts'
import {
  loadCatalog,
  type Large,
  loadStored,
  saveCatalog,
  type StoredCatalog,
  takeQuestions,
} from './stored-catalog.ts'
import { versionsOf } from './list-versions.ts'

/** Asks the components by service chaining, and stores their answers in the key-value store. */
export function createToolRepository(): ToolRepository {
  return {
    known: (scope) => loadCatalog(scope).then((stored) => new NamedCatalog(scope, stored)),

    // As few promises as `known` for a small catalog.
    forCall: (scope, name) =>
      loadStored(scope).then((stored) =>
        stored.parts
          ? forCallOfLarge(scope, stored, name)
          : new NamedCatalog(scope, stored.catalog()),
      ),

    list: (scope) => loadCatalog(scope).then((stored) => listed(scope, stored)),

    async outline(scope) {
      const stored = await loadStored(scope)
      const outline = stored.parts && stored.outline()
      return outline && isUsable(scope, outline, stored.parts)
        ? outline
        : listed(scope, await stored.catalog())
    },

    async refresh(scope, components = scope.components) {
      return new NamedCatalog(scope, await update(scope, components, await loadCatalog(scope)))
    },

    versions: (scope) => loadCatalog(scope).then((stored) => versionsOf(stored, scope.only)),
  }
}

async function forCallOfLarge(scope: Scope, stored: Large, name: string): Promise<CallCatalog> {
  const found = await loadForCall(scope, stored.parts, name).catch(() => undefined)
  return found ?? new NamedCatalog(scope, await stored.catalog())
}

/** Asks the components whose answer is too old. */
async function listed(scope: Scope, stored: StoredCatalog): Promise<NamedCatalog> {
  const { catalogTtlMs, devBuild } = scope.settings
  const now = scope.platform.now()
  const tooOld = scope.components.filter(
    (name) => !isFresh(scope, stored[name]?.askedAt, now) || stored[name]?.build !== devBuild,
  )
  const old = tooOld.length > 0 ? await takeQuestions(scope, tooOld, stored) : tooOld
  // A component that failed last time may hang again, so refresh it in the background for the next list.
  const failing = old.filter((name) => catalogTtlMs > 0 && stored[name]?.reason !== undefined)
  if (failing.length > 0) scope.platform.waitUntil(update(scope, failing, stored))
  const asked = old.filter((name) => !failing.includes(name))
  return new NamedCatalog(scope, asked.length > 0 ? await update(scope, asked, stored) : stored)
}

/** Returns each component's new answer or, if it failed, its earlier one. */
async function update(
  scope: Scope,
  asked: readonly string[],
  before: StoredCatalog,
): Promise<StoredCatalog> {
  scope.hooks.beforeDiscovery(scope)
  const { settings } = scope
  const timeoutOf = (component: string) =>
    before[component] ? settings.discoveryTimeoutMs : settings.firstDiscoveryTimeoutMs
  // While it is developed, a component changes with each save.
  const accepted = settings.devBuild === '' ? scope.hooks.accepted(scope) : undefined
  const reach = settings.toolReach
  const answers = await Promise.all(
    asked.map((component) =>
      discover(scope, component, { timeoutMs: timeoutOf(component), accepted, reach }),
    ),
  )
  // Read after the wait, so that answers stored by other instances meanwhile are not lost.
  const stored = await loadCatalog(scope)
  const next: StoredCatalog = {}
  // Components that are no longer configured are dropped.
  for (const component of scope.settings.toolComponents.keys()) {
    const entry = stored[component]
    const answer = answers[asked.indexOf(component)]
    if (answer) {
      const earlier = 'forgets' in answer ? undefined : entry?.published
      const published = 'offers' in answer ? answer : (earlier ?? answer.instead)
      reportDifferences(scope, component, published, entry?.published)
      next[component] = {
        askedAt: scope.platform.now(),
        build: settings.devBuild,
        published,
        reason: 'reason' in answer ? answer.reason : undefined,
      }
    } else if (entry) next[component] = entry
  }
  // Writes are slow and metered on hosted platforms; without a TTL `askedAt` is not used, so only changes are stored.
  const isChanged = fingerprint(stored) !== fingerprint(next)
  if (scope.settings.catalogTtlMs > 0 || isChanged) {
    // Warn only while the store is empty, because an instance keeps no state between requests.
    const warning = Object.keys(stored).length === 0 ? unprotected(scope) : undefined
    if (warning !== undefined) logError(scope, 'the store is shared', warning)
    const outline = await saveCatalog(scope, next, (length) => largeOf(scope, next, length))
    if (outline && isChanged) {
      const catalog = new NamedCatalog(widened(scope), next)
      scope.hooks.catalogStored(scope, catalog, outline.digest)
    }
  }
  return next
}
