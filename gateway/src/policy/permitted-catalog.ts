/** The catalog as one caller may see it: for this caller, nothing else exists. */
import type {
  CallCatalog,
  Catalog,
  CatalogTool,
  ComponentReport,
  Entry,
  Kind,
} from '../catalog/catalog.ts'
import { Lists } from '../catalog/lists.ts'
import type { Permissions } from '../permissions.ts'
import { type CanonicalNames, OWN_NAMES, targetOf, uriTarget } from './target.ts'

export class PermittedCatalog extends Lists implements Catalog {
  readonly whole: Catalog
  readonly #permissions: Permissions
  readonly #names: CanonicalNames
  readonly #lists: { [K in Kind]?: Entry<K>[] } = {}

  constructor(whole: Catalog, permissions: Permissions, names: CanonicalNames) {
    super()
    this.whole = whole
    this.#permissions = permissions
    this.#names = names
  }

  /** @throws {InsufficientScope} */
  tool(name: string): CatalogTool | undefined {
    return permittedTool(this.whole, name, this.#permissions, this.#names)
  }

  /** @param name by which the client asks for it. @throws {InsufficientScope} */
  permits(entry: Entry, name: string): boolean {
    return mayUse(entry, name, this.#permissions, this.#names)
  }

  /** Whether anything of the component exists for the caller. */
  has(component: string): boolean {
    return this.#entriesOf(this.whole, component).some((entry) => {
      const target = targetOf(entry, this.#names)
      return target !== undefined && this.#permissions.mayFind(target)
    })
  }

  withheld<K extends Kind>(kind: K): Entry<K>[] {
    return this.#permitted(this.whole.withheld?.(kind) ?? [])
  }

  get isComplete(): boolean {
    return this.whole.isComplete
  }

  get completions(): boolean {
    return this.whole.completions && this.prompts.length + this.resourceTemplates.length > 0
  }

  get logging(): boolean {
    return this.#entriesOf(this).some(({ logging }) => logging)
  }

  get jobs(): boolean {
    return this.tools.some(({ startsJobs }) => startsJobs)
  }

  /** A report names tools, also those that are left out of the lists, so only a caller that may see the whole component gets it. */
  get components(): ComponentReport[] {
    return this.whole.components.flatMap((report): ComponentReport[] => {
      const { component, status, reason } = report
      const own = this.#entriesOf(this, component)
      const isWhole = own.length === this.#entriesOf(this.whole, component).length
      const target = { kind: 'component', component, name: component } as const
      if (isWhole && this.#permissions.mayList(target)) return [report]
      if (own.length === 0) return []
      const tools = this.tools.filter((tool) => tool.component === component).length
      return [{ component, status, reason, tools, problems: [], clashes: [] }]
    })
  }

  protected override listed<K extends Kind>(kind: K): Entry<K>[] {
    return (this.#lists[kind] ??= this.#permitted(this.whole[kind] as Entry<K>[]) as never)
  }

  #permitted<K extends Kind>(entries: Entry<K>[]): Entry<K>[] {
    return entries.filter((entry) => {
      const target = targetOf(entry, this.#names)
      return target !== undefined && this.#permissions.mayList(target)
    })
  }

  #entriesOf(catalog: Catalog, component?: string): Entry[] {
    const { tools, prompts, resources, resourceTemplates } = catalog
    const all: Entry[] = [...tools, ...prompts, ...resources, ...resourceTemplates]
    return all.filter((entry) => entry.component === (component ?? entry.component))
  }
}

/** The tool, if the caller may use it. @throws {InsufficientScope} */
export function permittedTool(
  whole: CallCatalog,
  name: string,
  permissions: Permissions,
  names: CanonicalNames = OWN_NAMES,
): CatalogTool | undefined {
  const tool = whole.tool(name)
  return tool && mayUse(tool, name, permissions, names) ? tool : undefined
}

function mayUse(
  entry: Entry,
  name: string,
  permissions: Permissions,
  names: CanonicalNames,
): boolean {
  const target = uriTarget(entry, name) ?? targetOf(entry, names)
  return target !== undefined && permissions.mayUse(target, name)
}
