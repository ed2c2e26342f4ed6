/**
 * The default {@link ToolRepository}: discovery over service chaining, with a copy in the key-value store.
 *
 * @module
 */
import { logError } from '../log.ts'
import { unprotected } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import type { ToolRepository } from './catalog.ts'
import { discover } from './discovery.ts'
import { NamedCatalog } from './named-catalog.ts'
import { loadCatalog, saveCatalog, type StoredCatalog } from './stored-catalog.ts'

/** Asks the components by service chaining, and keeps what they said in the key-value store. */
export function createToolRepository(): ToolRepository {
  return {
    known: (scope) => loadCatalog(scope).then((stored) => new NamedCatalog(scope, stored)),

    async list(scope) {
      const stored = await loadCatalog(scope)
      const { catalogTtlMs } = scope.settings
      const now = scope.platform.now()
      // One that was asked in the future would not be asked again before.
      const isFresh = (askedAt = 0) => askedAt > now - catalogTtlMs && askedAt <= now
      const old = scope.components.filter((name) => !isFresh(stored[name]?.askedAt))
      // Who gave no answer last time may hang again: the next list will know, this one need not wait.
      const unwell = old.filter((name) => catalogTtlMs > 0 && stored[name]?.reason !== undefined)
      if (unwell.length > 0) scope.platform.waitUntil(update(scope, unwell, stored))
      const asked = old.filter((name) => !unwell.includes(name))
      return new NamedCatalog(scope, asked.length > 0 ? await update(scope, asked, stored) : stored)
    },

    async refresh(scope, components = scope.components) {
      return new NamedCatalog(scope, await update(scope, components, await loadCatalog(scope)))
    },
  }
}

/** What is known now: the answer of every component that gave one, else what was known before. */
async function update(
  scope: Scope,
  asked: readonly string[],
  before: StoredCatalog,
): Promise<StoredCatalog> {
  const { settings } = scope
  const timeoutOf = (component: string) =>
    before[component] ? settings.discoveryTimeoutMs : settings.firstDiscoveryTimeoutMs
  const answers = await Promise.all(
    asked.map((component) => discover(scope, component, timeoutOf(component))),
  )
  // Read after the wait, so that what others have learned meanwhile is not lost.
  const stored = await loadCatalog(scope)
  const next: StoredCatalog = {}
  // A component that is configured no longer leaves no trace.
  for (const component of scope.settings.toolComponents) {
    const entry = stored[component]
    const answer = answers[asked.indexOf(component)]
    if (answer) {
      const published = 'offers' in answer ? answer : entry?.published
      next[component] = {
        askedAt: scope.platform.now(),
        ...(published && { published }),
        ...('reason' in answer && { reason: answer.reason }),
      }
    } else if (entry) next[component] = entry
  }
  // Writes are slow and counted on hosted platforms; without a time to live nobody asks when it was.
  if (scope.settings.catalogTtlMs > 0 || fingerprint(stored) !== fingerprint(next)) {
    // Once in the life of a store: an instance remembers nothing.
    const warning = Object.keys(stored).length === 0 ? unprotected(scope) : undefined
    if (warning !== undefined) logError(scope, 'the store is shared', warning)
    await saveCatalog(scope, next)
  }
  return next
}

/** What everyone published, for short. */
function fingerprint(catalog: StoredCatalog): string {
  return Object.entries(catalog)
    .map(([component, { published }]) => `${component} ${published?.digest}`)
    .join()
}
