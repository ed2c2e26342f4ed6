/** The stored catalog, under the names clients use. */
import { Lists } from './lists.ts'
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
import { reasonOfDifference } from './differences.ts'
import { isOld } from './fresh.ts'
import { assignNames, differenceOf, type Names, RENAMING, RESERVED_TOOLS } from './names.ts'
import type { StoredCatalog, StoredComponent } from './stored-catalog.ts'

/** The digests of what all components published, and what of it differs from their pins. */
export function fingerprint(catalog: StoredCatalog): string {
  return Object.entries(catalog)
    .map(([component, { published }]) => {
      const { digest, differences } = published ?? {}
      return `${component} ${digest} ${JSON.stringify(differences)}`
    })
    .join()
}

/** The configured order decides which component keeps a name. Names are computed lazily: a call needs only one. */
export class NamedCatalog extends Lists implements Catalog {
  readonly #scope: Scope
  readonly #stored: StoredCatalog
  readonly #names: { [K in Kind]?: Names<K> } = {}
  #published: readonly [component: string, published: Published][] | undefined

  /** @throws {ConfigurationError} */
  constructor(scope: Scope, stored: StoredCatalog) {
    super()
    this.#scope = scope
    this.#stored = stored
    // Read it here, so that an unusable list of components throws at once.
    void scope.components
  }

  tool(name: string): CatalogTool | undefined {
    // Only a name with `__` can belong to a component other than the first to publish it.
    if (name.includes(RENAMING)) {
      return this.#named('tools').entries.find((tool) => tool.name === name)
    }
    if (RESERVED_TOOLS.has(name)) return undefined
    let added: CatalogTool | undefined
    for (const component of this.#scope.components) {
      const published = this.#of(component)?.published
      if (!published) continue
      const { offers, callAt, differences } = published
      const description = offers.tools.find((tool) => tool.name === name)
      if (!description) continue
      const { logging, jobs: startsJobs, relays } = offers
      const entry = { name, component, description, callAt, logging, startsJobs, relays }
      const difference = differences && differenceOf(differences, 'tools', name)
      if (!difference) return entry
      if (difference.change !== 'added') return { ...entry, difference }
      added ??= { ...entry, difference }
    }
    return added
  }

  withheld<K extends Kind>(kind: K): Entry<K>[] {
    return this.#named(kind).entries.filter(({ difference }) => difference)
  }

  get digest(): string {
    // The names depend on the order of the components.
    return `${this.#scope.components.join()} ${fingerprint(this.#stored)}`
  }

  get notCompared(): readonly string[] {
    // Without pins it reads nothing.
    return this.#scope.components.filter((name) => {
      const stored = this.#of(name)
      return stored?.published?.differences && isOld(this.#scope, stored)
    })
  }

  get isComplete(): boolean {
    const { devBuild } = this.#scope.settings
    return this.#scope.components.every((component) => this.#of(component)?.build === devBuild)
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
      const differences = published?.differences?.map(reasonOfDifference)
      const isServed = published && published.differences?.[0]?.change !== 'file'
      return {
        component,
        status: reason === undefined ? 'ok' : isServed ? 'stale' : 'unavailable',
        reason,
        tools: this.tools.filter((tool) => tool.component === component).length,
        leftOut: published?.leftOut || undefined,
        digest: published?.digest || undefined,
        problems: published?.problems ?? [],
        clashes: clashes.flatMap(({ component: owner, ...clash }) =>
          owner === component ? clash : [],
        ),
        ...(differences?.length && { differences }),
      }
    })
  }

  /** Checks own properties only, because a component may be called "constructor". */
  #of(component: string): StoredComponent | undefined {
    return Object.hasOwn(this.#stored, component) ? this.#stored[component] : undefined
  }

  #named<K extends Kind>(kind: K): Names<K> {
    // Few components have more than tools, and every list asks for the clashes of all kinds.
    return (this.#names[kind] ??= (
      this.#publications().some((each) => each[1].offers[kind][0])
        ? assignNames(kind, this.#publications())
        : { entries: [], clashes: [] }
    ) as never)
  }

  protected override listed<K extends Kind>(kind: K): Entry<K>[] {
    const { entries } = this.#named(kind)
    return entries.some(({ difference }) => difference)
      ? entries.filter(({ difference }) => !difference)
      : entries
  }

  #some(flag: 'completions' | 'logging' | 'jobs'): boolean {
    return this.#publications().some(([, { offers }]) => offers[flag])
  }

  #publications(): readonly [component: string, published: Published][] {
    return (this.#published ??= this.#scope.components.flatMap(
      (component): [string, Published][] => {
        const published = this.#of(component)?.published
        return published ? [[component, published]] : []
      },
    ))
  }
}
