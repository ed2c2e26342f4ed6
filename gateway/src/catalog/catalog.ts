/** The tools, prompts and resources of the components, and the status of each configured component. */
import {
  PINNED_KINDS,
  type PromptDescription,
  type ResourceDescription,
  type ResourceTemplateDescription,
  type ToolDescription,
} from 'ftl-contract'
import type { Difference } from './differences.ts'
import type { Scope } from '../scope.ts'
import type { Outline } from './outline.ts'

/** The kinds of entries, and the description of each. */
export interface Descriptions {
  tools: ToolDescription
  prompts: PromptDescription
  resources: ResourceDescription
  resourceTemplates: ResourceTemplateDescription
}

export type Kind = keyof Descriptions

export const KINDS: readonly Kind[] = PINNED_KINDS

/** One of them in a message. */
export const LABELS: Readonly<Record<Kind, string>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
}

/** `POST /` or `POST /{name of the tool}`. */
export type CallAddress = '/' | '/{tool}'

/** One tool, prompt or resource under the name clients use. */
export interface Entry<K extends Kind = Kind> {
  /**
   * A tool's or prompt's own name or, after a clash, `component__name`; a resource's uri; a template's
   * uriTemplate.
   */
  name: string
  component: string
  /** As the component published it, with its own name. */
  description: Descriptions[K]
  /** Addresses of the call at its component; a later one is used if the component refuses the earlier one. */
  callAt: CallAddress[]
  /** Whether its component sends log lines. */
  logging: boolean
  /** Whether its component starts jobs, so that a call may be answered with a handle. @default false */
  startsJobs?: boolean
  /** Whether its component passes on what other servers say. @default false */
  relays?: Relays | undefined
  /** How it differs from its pin; it is then not listed, and a request for it is refused. @default it does not */
  difference?: Difference
}

/** A tool under the name clients use, and the component that has it. */
export type CatalogTool = Entry<'tools'>

/** Two components, or one twice, published the same name. */
export interface NameClash {
  kind: Kind
  name: string
  /** The component that keeps the plain name, or whose prefix the name begins with; or "the gateway". */
  keptBy: string
  /** The name of the later entry; absent when it is left out. */
  listedAs?: string
}

/** What is known of a component that relays, besides that it does. */
export type Relays = true | { instructions: string }

export interface ComponentReport {
  component: string
  /** `stale`: its last answer failed, so its earlier entries are listed; `unavailable`: it has none to list. */
  status: 'ok' | 'stale' | 'unavailable'
  /** Why it is not `ok`, in a form that is safe to show. */
  reason?: string
  /** How many of its tools are listed. */
  tools: number
  /** How many entries it has and does not list: the list is not whole. @default 0 */
  leftOut?: number
  /** SHA-256 of everything it published. */
  digest?: string
  /** Entries left out because clients could not use them, and why. */
  problems: string[]
  clashes: NameClash[]
  /** What differs from its pins, a sentence each; these entries are not served. @default nothing */
  differences?: string[]
}

/** Lists are sorted by component, then in the order the component published, so that the output is stable. */
export type Catalog = { readonly [K in Kind]: Entry<K>[] } & {
  /** Finds one tool without computing the names of all others. It may be one that is not listed: see {@link Entry}. */
  tool(name: string): CatalogTool | undefined
  /** Entries that are not listed, because they differ from their pins. @default none */
  withheld?<K extends Kind>(kind: K): Entry<K>[]
  readonly components: ComponentReport[]
  /** Pinned components whose last answer is too old to be compared by. @default none */
  readonly notCompared?: readonly string[]
  /** Whether every component has been asked at least once. */
  readonly isComplete: boolean
  /** Whether any component completes arguments. */
  readonly completions: boolean
  /** Whether any component sends log lines. */
  readonly logging: boolean
  /** Whether any component starts jobs. */
  readonly jobs: boolean
  /** The same as long as the tools are the same, in the same order. @default it is not known */
  readonly digest?: string
  /** If this is what one caller may see: the catalog with everything. @default this one */
  readonly whole?: Catalog
  /** Whether anything of the component exists for the caller. @default of every component */
  has?(component: string): boolean
  /** Whether the caller may use an entry of `whole` by this name or uri. @default every entry */
  permits?(entry: Entry, name: string): boolean
}

/** What a call needs of it. */
export interface CallCatalog extends Pick<Catalog, 'tool' | 'notCompared'> {
  /** If this is what one caller may use: the same with everything. @default this one */
  readonly whole?: CallCatalog
}

/**
 * Provides the catalog, within the discovery deadline. A broken component affects only its own entries.
 *
 * Every method throws {@link ConfigurationError} when the list of components is unusable.
 */
export interface ToolRepository {
  /** Returns the stored catalog without a request to any component: one key-value read. */
  known(scope: Scope): Promise<Catalog>
  /**
   * The same for a call of this tool: of a large catalog it reads only a part. Use {@link catalogFor}.
   *
   * @default `known`
   */
  forCall?(scope: Scope, name: string): Promise<CallCatalog>
  /** Asks the components whose last answer is older than `catalog_ttl_ms`. */
  list(scope: Scope): Promise<Catalog>
  /**
   * The outline of what the request is about, if the catalog is large and fresh; else the same as `list`.
   *
   * @default always the same
   */
  outline?(scope: Scope): Promise<Outline | Catalog>
  /** Asks these components now. @default every component */
  refresh(scope: Scope, components?: readonly string[]): Promise<Catalog>
  /** The versions of the stored lists, without a request to any component. See {@link Versions}. */
  versions(scope: Scope): Promise<Versions>
}

/** The version of each list, in the order of {@link KINDS}; it changes when the list does. Letters and digits only. */
export type Versions = readonly string[]

/** What a call of this tool needs of the stored catalog. */
export function catalogFor(
  tools: ToolRepository,
  scope: Scope,
  name: string,
): Promise<CallCatalog> {
  return tools.forCall?.(scope, name) ?? tools.known(scope)
}
