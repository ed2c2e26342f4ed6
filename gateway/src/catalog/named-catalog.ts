/** The stored catalog, under the names clients use. */
import type { Scope } from '../scope.ts'
import {
  type Catalog,
  type CatalogTool,
  type ComponentReport,
  type Entry,
  type Kind,
  KINDS,
} from './catalog.ts'
import type { Published } from './discovery.ts'
import { assignNames, type Names, RENAMING, RESERVED_TOOLS } from './names.ts'
import type { StoredCatalog, StoredComponent } from './stored-catalog.ts'

/** The configured order decides which component keeps a name. Names are computed lazily: a call needs only one. */
export class NamedCatalog implements Catalog {
  readonly #scope: Scope
  readonly #stored: StoredCatalog
  readonly #names: { [K in Kind]?: Names<K> } = {}

  /** @throws {ConfigurationError} */
  constructor(scope: Scope, stored: StoredCatalog) {
    this.#scope = scope
    this.#stored = stored
    // Read it here, so that an unusable list of components throws at once.
    void scope.components
  }

  tool(name: string): CatalogTool | undefined {
    // Only a name with `__` can belong to a component other than the first to publish it.
    if (name.includes(RENAMING)) return this.tools.find((tool) => tool.name === name)
    if (RESERVED_TOOLS.has(name)) return undefined
    for (const component of this.#scope.components) {
      const published = this.#of(component)?.published
      if (!published) continue
      const { offers, callAt } = published
      const description = offers.tools.find((tool) => tool.name === name)
      if (!description) continue
      const { logging, jobs: startsJobs } = offers
      return { name, component, description, callAt, logging, startsJobs }
    }
    return undefined
  }

  get isComplete(): boolean {
    const { devBuild } = this.#scope.settings
    return this.#scope.components.every((component) => this.#of(component)?.build === devBuild)
  }

  get tools(): Entry<'tools'>[] {
    return this.#named('tools').entries
  }

  get prompts(): Entry<'prompts'>[] {
    return this.#named('prompts').entries
  }

  get resources(): Entry<'resources'>[] {
    return this.#named('resources').entries
  }

  get resourceTemplates(): Entry<'resourceTemplates'>[] {
    return this.#named('resourceTemplates').entries
  }

  get completions(): boolean {
    return this.#some('completions')
  }

  get logging(): boolean {
    return this.#some('logging')
  }

  get jobs(): boolean {
    return this.#some('jobs')
  }

  get components(): ComponentReport[] {
    const clashes = KINDS.flatMap((kind) => this.#named(kind).clashes)
    return this.#scope.components.map((component): ComponentReport => {
      const { published, reason = published ? undefined : 'it was not asked yet' } =
        this.#of(component) ?? {}
      return {
        component,
        status: reason === undefined ? 'ok' : published ? 'stale' : 'unavailable',
        reason,
        tools: this.tools.filter((tool) => tool.component === component).length,
        digest: published?.digest,
        problems: published?.problems ?? [],
        clashes: clashes.flatMap(({ component: owner, ...clash }) =>
          owner === component ? clash : [],
        ),
      }
    })
  }

  /** Checks own properties only, because a component may be called "constructor". */
  #of(component: string): StoredComponent | undefined {
    return Object.hasOwn(this.#stored, component) ? this.#stored[component] : undefined
  }

  #named<K extends Kind>(kind: K): Names<K> {
    return (this.#names[kind] ??= assignNames(kind, this.#publications()) as never)
  }

  #some(flag: 'completions' | 'logging' | 'jobs'): boolean {
    return this.#publications().some(([, { offers }]) => offers[flag])
  }

  #publications(): [component: string, published: Published][] {
    return this.#scope.components.flatMap((component): [string, Published][] => {
      const published = this.#of(component)?.published
      return published ? [[component, published]] : []
    })
  }
}
