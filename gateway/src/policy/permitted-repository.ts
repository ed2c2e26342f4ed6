/** The repository whose catalogs have only what the caller of a request may see and use. */
import { sha256 } from 'ftl-http'
import {
  type CallCatalog,
  type Catalog,
  catalogFor,
  KINDS,
  type ToolRepository,
  type Versions,
} from '../catalog/catalog.ts'
import { type Scope, widened } from '../scope.ts'
import { isOutline, mayEnter, type Outline } from '../catalog/outline.ts'
import { loadOwnOutline, saveOwnOutline } from './own-outline.ts'
import { permittedTool, PermittedCatalog } from './permitted-catalog.ts'
import { namesIn, OWN_NAMES } from './target.ts'

/** Every part that reads the catalog gets it from here, so no transport decides anything itself. */
export class PermittedRepository implements ToolRepository {
  readonly #tools: ToolRepository

  private constructor(tools: ToolRepository) {
    this.#tools = tools
  }

  static of(tools: ToolRepository): ToolRepository {
    return tools instanceof PermittedRepository ? tools : new PermittedRepository(tools)
  }

  // Without permissions these must cost nothing, not even a promise.

  known(scope: Scope): Promise<Catalog> {
    return this.#permitted(scope, this.#tools.known(scope))
  }

  forCall(scope: Scope, name: string): Promise<CallCatalog> {
    const { permissions, only } = scope
    // A rule is about the name of `/mcp`, which is not known from the part of one tool.
    if (permissions && only !== undefined) return this.known(scope)
    const whole = catalogFor(this.#tools, scope, name)
    if (!permissions) return whole
    return whole.then((catalog) => ({
      whole: catalog,
      tool: (asked) => permittedTool(catalog, asked, permissions),
    }))
  }

  list(scope: Scope): Promise<Catalog> {
    return this.#permitted(scope, this.#tools.list(scope))
  }

  outline(scope: Scope): Promise<Outline | Catalog> {
    if (!this.#tools.outline) return this.list(scope)
    const whole = this.#tools.outline(scope)
    return scope.permissions || scope.only !== undefined ? this.#ownOutline(scope, whole) : whole
  }

  /** The outline is about all tools, so a caller who may not see all of them has another one. */
  async #ownOutline(scope: Scope, whole: Promise<Outline | Catalog>): Promise<Outline | Catalog> {
    const known = await whole
    if (!isOutline(known)) return this.#permitted(scope, Promise.resolve(known))
    const own = await loadOwnOutline(scope, known)
    if (own) return own
    const catalog = await this.list(scope)
    const enters = scope.components.filter((component) => mayEnter(catalog, component))
    scope.platform.waitUntil(saveOwnOutline(scope, known, catalog, enters))
    return catalog
  }

  refresh(scope: Scope, components?: readonly string[]): Promise<Catalog> {
    return this.#permitted(scope, this.#tools.refresh(scope, components))
  }

  versions(scope: Scope): Promise<Versions> {
    return scope.permissions ? this.#permittedVersions(scope) : this.#tools.versions(scope)
  }

  #permitted(scope: Scope, whole: Promise<Catalog>): Promise<Catalog> {
    const { permissions, only } = scope
    if (!permissions) return whole
    if (only === undefined) {
      return whole.then((catalog) => new PermittedCatalog(catalog, permissions, OWN_NAMES))
    }
    // After the catalog of the one component has been stored.
    return whole.then(
      async (catalog) =>
        new PermittedCatalog(catalog, permissions, namesIn(await this.#complete(widened(scope)))),
    )
  }

  /** Which component has the plain name of a tool is not known before every component has been asked. */
  async #complete(scope: Scope): Promise<Catalog> {
    const known = await this.#tools.known(scope)
    return known.isComplete ? known : this.#tools.list(scope)
  }

  /** Of the caller's own lists: a change of another tool must not be seen. */
  async #permittedVersions(scope: Scope): Promise<Versions> {
    const catalog = await this.known(scope)
    return Promise.all(
      KINDS.map(async (kind) => (await sha256(JSON.stringify(catalog[kind]))).slice(0, DIGITS)),
    )
  }
}

/** As in catalog/list-versions.ts. */
const DIGITS = 16
