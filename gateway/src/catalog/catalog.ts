/**
 * What the components offer, and how each component that should offer something is doing.
 *
 * @module
 */
import type {
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
  ToolDescription,
} from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'

/** What can be listed, and how one of it is described. */
export interface Descriptions {
  tools: ToolDescription
  prompts: PromptDescription
  resources: ResourceDescription
  resourceTemplates: ResourceTemplateDescription
}

export type Kind = keyof Descriptions

export const KINDS: readonly Kind[] = ['tools', 'prompts', 'resources', 'resourceTemplates']

/** `POST /` or `POST /{name of the tool}`. */
export type CallAddress = '/' | '/{tool}'

/** One offer under the name clients use. */
export interface Entry<K extends Kind = Kind> {
  /**
   * A tool's or prompt's own name or, after a clash, `component__name`; a resource's uri; a template's
   * uriTemplate.
   */
  name: string
  component: string
  /** As the component published it, with its own name. */
  description: Descriptions[K]
  /** Where its component takes the call; a later address is for a component that refuses the earlier. */
  callAt: CallAddress[]
  /** Its component sends log lines. */
  logging: boolean
}

/** A tool under the name clients use, and the component that has it. */
export type CatalogTool = Entry<'tools'>

/** Two components, or one twice, published the same name. */
export interface NameClash {
  kind: Kind
  name: string
  /** The component whose offer has the plain name, or whose renamed offers begin like it; or "the gateway". */
  keptBy: string
  /** What the later one is called instead; absent when it is left out. */
  listedAs?: string
}

export interface ComponentReport {
  component: string
  /** `stale`: it did not answer and its last good offers are listed; `unavailable`: there are none to list. */
  status: 'ok' | 'stale' | 'unavailable'
  /** Why it is not `ok`, in words that are safe to show. */
  reason?: string
  /** How many of its tools are listed. */
  tools: number
  /** SHA-256 of what it published: changes when any word of it does. */
  digest?: string
  /** Offers left out because clients could not use them, and why. */
  problems: string[]
  clashes: NameClash[]
}

/** Each list in the order of the components, then of each component's own list: the same bytes every time. */
export type Catalog = { readonly [K in Kind]: Entry<K>[] } & {
  /** The tool of that name, without naming all the others. */
  tool(name: string): CatalogTool | undefined
  readonly components: ComponentReport[]
  /** Every component has been asked at least once. */
  readonly isComplete: boolean
  /** Some component completes arguments. */
  readonly completions: boolean
  /** Some component sends log lines. */
  readonly logging: boolean
  /** Some component starts jobs. */
  readonly jobs: boolean
}

/**
 * Knows what there is. Never longer at it than the discovery deadline; a broken component costs only its own.
 *
 * Every method throws {@link ConfigurationError} when the list of components is unusable.
 */
export interface ToolRepository {
  /** What was known last, without asking any component: one key-value read. */
  known(scope: Scope): Promise<Catalog>
  /** Asks the components whose last answer is older than `catalog_ttl_ms`. */
  list(scope: Scope): Promise<Catalog>
  /** Asks these components now. @default every component */
  refresh(scope: Scope, components?: readonly string[]): Promise<Catalog>
}
