/**
 * Which tools there are, and how each component that should offer some is doing.
 *
 * @module
 */
import type { ToolDescription } from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'

/** `POST /` or `POST /{name of the tool}`. */
export type CallAddress = '/' | '/{tool}'

/** A tool under the name clients call it by. */
export interface CatalogTool {
  /** The tool's own name or, after a clash, `component__tool`. */
  name: string
  component: string
  /** As the component published it, with its own name. */
  description: ToolDescription
  /** Where its component takes the call; a later address is for a component that refuses the earlier. */
  callAt: CallAddress[]
}

/** Two components, or one twice, published the same name. */
export interface NameClash {
  tool: string
  /** The component whose tool has the plain name. */
  keptBy: string
  /** What the later tool is called instead; absent when that name is taken too and the tool is left out. */
  listedAs?: string
}

export interface ComponentReport {
  component: string
  /** `stale`: it did not answer and its last good tools are listed; `unavailable`: there are none to list. */
  status: 'ok' | 'stale' | 'unavailable'
  /** Why it is not `ok`, in words that are safe to show. */
  reason?: string
  /** How many of its tools are listed. */
  tools: number
  /** SHA-256 of what it published: changes when any word of any tool does. */
  digest?: string
  /** Tools left out because clients could not use them, and why. */
  problems: string[]
  clashes: NameClash[]
}

export interface Catalog {
  /** In the order of the components, then of each component's own list: the same bytes every time. */
  tools: CatalogTool[]
  components: ComponentReport[]
}

/**
 * Knows the tools.
 *
 * Every method throws {@link ConfigurationError} when the list of components is unusable.
 */
export interface ToolRepository {
  /** Asks every component; never longer than the discovery deadline. A broken one costs only its own tools. */
  list(scope: Scope): Promise<Catalog>
  /** What was known last, without asking any component: one key-value read. */
  find(scope: Scope, name: string): Promise<CatalogTool | undefined>
  /** Asks the component that publishes `name` again, or every component when none is known to. */
  refresh(scope: Scope, name: string): Promise<CatalogTool | undefined>
}
