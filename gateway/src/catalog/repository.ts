/**
 * The default {@link ToolRepository}: discovery over service chaining, with a copy in the key-value store.
 *
 * @module
 */
import type { Scope } from '../scope.ts'
import type { Catalog, CatalogTool, ComponentReport, ToolRepository } from './catalog.ts'
import { discover, type NotPublished, type Published } from './discovery.ts'
import { assignNames } from './names.ts'
import { loadCatalog, saveCatalog, type StoredComponent } from './stored-catalog.ts'

export function createToolRepository(): ToolRepository {
  return {
    async list(scope) {
      const { toolComponents } = scope.settings
      const [stored, answers] = await Promise.all([
        loadCatalog(scope),
        Promise.all(toolComponents.map((component) => discover(scope, component))),
      ])
      return report(answers, await update(scope, stored, answers))
    },

    async find(scope, name) {
      const { toolComponents } = scope.settings
      return findIn(inOrder(toolComponents, await loadCatalog(scope)), name)
    },

    async refresh(scope, name) {
      const { toolComponents } = scope.settings
      const stored = inOrder(toolComponents, await loadCatalog(scope))
      const owner = findIn(stored, name)?.component
      const asked = owner === undefined ? toolComponents : [owner]
      const answers = await Promise.all(asked.map((component) => discover(scope, component)))
      return findIn(await update(scope, stored, answers), name)
    },
  }
}

/** What is known now: the answer of every component that gave one, else what was known before. */
async function update(
  scope: Scope,
  stored: readonly StoredComponent[],
  answers: readonly (Published | NotPublished)[],
): Promise<StoredComponent[]> {
  const known = new Map(stored.map((entry) => [entry.component, entry]))
  for (const answer of answers) {
    if (!isPublished(answer)) continue
    const { component, callAt, digest, tools } = answer
    known.set(component, { component, callAt, digest, tools })
  }
  const next = inOrder(scope.settings.toolComponents, [...known.values()])
  await saveCatalog(scope, stored, next)
  return next
}

/** The configured components only, in the configured order: it decides who keeps a name. */
function inOrder(components: readonly string[], stored: readonly StoredComponent[]) {
  const known = new Map(stored.map((entry) => [entry.component, entry]))
  return components.flatMap((component) => known.get(component) ?? [])
}

function findIn(known: readonly StoredComponent[], name: string): CatalogTool | undefined {
  return assignNames(known).tools.find((tool) => tool.name === name)
}

function report(
  answers: readonly (Published | NotPublished)[],
  known: readonly StoredComponent[],
): Catalog {
  const { tools, clashes } = assignNames(known)
  const components = answers.map((answer): ComponentReport => {
    const { component } = answer
    const entry = known.find((candidate) => candidate.component === component)
    const common = {
      tools: tools.filter((tool) => tool.component === component).length,
      ...(entry && { digest: entry.digest }),
      clashes: clashes.get(component) ?? [],
    }
    if (isPublished(answer)) {
      return { component, status: 'ok', ...common, problems: answer.problems }
    }
    const status = entry ? 'stale' : 'unavailable'
    return { component, status, reason: answer.reason, ...common, problems: [] }
  })
  return { tools, components }
}

function isPublished(answer: Published | NotPublished): answer is Published {
  return 'tools' in answer
}
