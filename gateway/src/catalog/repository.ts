/** The default {@link ToolRepository}: discovery over service chaining, with a copy in the key-value store. */
import { logError } from '../log.ts'
import { unprotected } from '../own-entries.ts'
import { refuseUnusedPolicy } from '../policy/unused-policy.ts'
import type { Scope } from '../scope.ts'
import type { ToolRepository } from './catalog.ts'
import { discover } from './discovery.ts'
import { NamedCatalog } from './named-catalog.ts'
import { loadCatalog, saveCatalog, type StoredCatalog } from './stored-catalog.ts'
import { versionsOf } from './versions.ts'

/** Asks the components by service chaining, and stores their answers in the key-value store. */
export function createToolRepository(): ToolRepository {
  return {
    known: (scope) => loadCatalog(scope).then((stored) => new NamedCatalog(scope, stored)),

    async list(scope) {
      const stored = await loadCatalog(scope)
      const { catalogTtlMs, devBuild } = scope.settings
      const now = scope.platform.now()
      // After a clock change `askedAt` may be in the future; without this check the entry would stay fresh until then.
      const isFresh = (askedAt = 0) => askedAt > now - catalogTtlMs && askedAt <= now
      const old = scope.components.filter(
        (name) => !isFresh(stored[name]?.askedAt) || stored[name]?.build !== devBuild,
      )
      // A component that failed last time may hang again, so refresh it in the background for the next list.
      const failing = old.filter((name) => catalogTtlMs > 0 && stored[name]?.reason !== undefined)
      if (failing.length > 0) scope.platform.waitUntil(update(scope, failing, stored))
      const asked = old.filter((name) => !failing.includes(name))
      return new NamedCatalog(scope, asked.length > 0 ? await update(scope, asked, stored) : stored)
    },

    async refresh(scope, components = scope.components) {
      return new NamedCatalog(scope, await update(scope, components, await loadCatalog(scope)))
    },

    versions: (scope) => loadCatalog(scope).then((stored) => versionsOf(stored, scope.only)),
  }
}

/** Returns each component's new answer or, if it failed, its earlier one. */
async function update(
  scope: Scope,
  asked: readonly string[],
  before: StoredCatalog,
): Promise<StoredCatalog> {
  refuseUnusedPolicy(scope)
  const { settings } = scope
  const timeoutOf = (component: string) =>
    before[component] ? settings.discoveryTimeoutMs : settings.firstDiscoveryTimeoutMs
  const answers = await Promise.all(
    asked.map((component) => discover(scope, component, timeoutOf(component))),
  )
  // Read after the wait, so that answers stored by other instances meanwhile are not lost.
  const stored = await loadCatalog(scope)
  const next: StoredCatalog = {}
  // Components that are no longer configured are dropped.
  for (const component of scope.settings.toolComponents) {
    const entry = stored[component]
    const answer = answers[asked.indexOf(component)]
    if (answer) {
      const published = 'offers' in answer ? answer : (entry?.published ?? answer.instead)
      next[component] = {
        askedAt: scope.platform.now(),
        build: settings.devBuild,
        published,
        reason: 'reason' in answer ? answer.reason : undefined,
      }
    } else if (entry) next[component] = entry
  }
  // Writes are slow and metered on hosted platforms; without a TTL `askedAt` is not used, so only changes are stored.
  if (scope.settings.catalogTtlMs > 0 || fingerprint(stored) !== fingerprint(next)) {
    // Warn only while the store is empty, because an instance keeps no state between requests.
    const warning = Object.keys(stored).length === 0 ? unprotected(scope) : undefined
    if (warning !== undefined) logError(scope, 'the store is shared', warning)
    await saveCatalog(scope, next)
  }
  return next
}

/** The digests of what all components published. */
function fingerprint(catalog: StoredCatalog): string {
  return Object.entries(catalog)
    .map(([component, { published }]) => `${component} ${published?.digest}`)
    .join()
}
