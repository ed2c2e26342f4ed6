/**
 * The default {@link ToolRepository}: discovery over service chaining, with a copy in the key-value store.
 *
 * @module
 */
import type { Scope } from '../scope.ts'
import type { Catalog, ComponentReport, ToolRepository } from './catalog.ts'
import { discover, type Published } from './discovery.ts'
import { assignNames } from './names.ts'
import { loadCatalog, saveCatalog, type StoredCatalog } from './stored-catalog.ts'

export function createToolRepository(): ToolRepository {
  return {
    async known(scope) {
      return toCatalog(scope, await loadCatalog(scope))
    },

    async list(scope) {
      const stored = await loadCatalog(scope)
      const due = scope.platform.now() - scope.settings.catalogTtlMs
      const old = scope.components.filter((component) => !((stored[component]?.askedAt ?? 0) > due))
      return toCatalog(scope, old.length > 0 ? await update(scope, stored, old) : stored)
    },

    async refresh(scope, components = scope.components) {
      return toCatalog(scope, await update(scope, await loadCatalog(scope), components))
    },
  }
}

/** What is known now: the answer of every component that gave one, else what was known before. */
async function update(
  scope: Scope,
  stored: StoredCatalog,
  asked: readonly string[],
): Promise<StoredCatalog> {
  const next: StoredCatalog = {}
  // A component that is configured no longer leaves no trace.
  for (const component of scope.settings.toolComponents) {
    const entry = stored[component]
    if (entry) next[component] = entry
  }
  const answers = asked.map(async (component) => {
    const answer = await discover(scope, component)
    const askedAt = scope.platform.now()
    const published = 'offers' in answer ? answer : stored[component]?.published
    next[component] = {
      askedAt,
      ...(published && { published }),
      ...('reason' in answer && { reason: answer.reason }),
    }
  })
  await Promise.all(answers)
  if (isWorthKeeping(scope, stored, next)) await saveCatalog(scope, next)
  return next
}

/** Writes are slow and counted on hosted platforms; without a time to live nobody asks when it was. */
function isWorthKeeping(scope: Scope, before: StoredCatalog, after: StoredCatalog): boolean {
  return scope.settings.catalogTtlMs > 0 || fingerprint(before) !== fingerprint(after)
}

function fingerprint(catalog: StoredCatalog): string {
  return JSON.stringify(
    Object.entries(catalog).map(([component, { published }]) => [
      component,
      ...(published ? [published.digest, published.callAt, published.problems] : []),
    ]),
  )
}

/** In the configured order: it decides who keeps a name. */
function toCatalog(scope: Scope, stored: StoredCatalog): Catalog {
  const publications = scope.components.flatMap((component): [string, Published][] => {
    const published = stored[component]?.published
    return published ? [[component, published]] : []
  })
  const { entries, clashes } = assignNames(publications)
  const components = scope.components.map((component): ComponentReport => {
    const { published, reason = published ? undefined : 'it was not asked yet' } =
      stored[component] ?? {}
    return {
      component,
      status: reason === undefined ? 'ok' : published ? 'stale' : 'unavailable',
      ...(reason !== undefined && { reason }),
      tools: entries.tools.filter((tool) => tool.component === component).length,
      ...(published && { digest: published.digest }),
      problems: published?.problems ?? [],
      clashes: clashes.get(component) ?? [],
    }
  })
  const some = (flag: 'completions' | 'logging') =>
    publications.some(([, { offers }]) => offers[flag])
  return { ...entries, components, completions: some('completions'), logging: some('logging') }
}
