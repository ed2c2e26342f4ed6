/**
 * What a feature adds to the gateway. The kernel knows features by this alone: it imports none of them, and a gateway
 * without one is built without its code. The order of the shipped features, and why it is so, is in `features.ts`.
 */
import type { JobRecord } from 'ftl-contract'
import type { SettingVariables } from 'ftl-http'
import type { ClientCall } from './calls/call-tool.ts'
import type { ClientRequest } from './calls/client-request.ts'
import type { Found, Wanted } from './calls/search-limits.ts'
import type { ToolList } from './calls/tool-list.ts'
import type { ToolsView } from './calls/tools-view.ts'
import type { Caller } from './caller.ts'
import type { Catalog, CatalogTool, Entry, ToolRepository } from './catalog/catalog.ts'
import type { Accepted } from './catalog/differences.ts'
import type { GatewayEvent } from './events.ts'
import type { Gateway, TransportAdapter } from './gateway.ts'
import type { ToolCall } from './invoke/invoker.ts'
import type { Outcome } from './invoke/outcome.ts'
import type { OwnerAnswer, OwnerRequest } from './jobs/ask-owner.ts'
import type { Scope } from './scope.ts'

export type Served = Response | Promise<Response>

/** A call of a tool as a client has sent it, before it is known whether there is such a tool. */
export type CallNext = (call: ClientCall) => Promise<Outcome>

/** Sends a call on, to the next feature or to the component. */
export type Send = (call: ToolCall) => Promise<Outcome>

/** A request of a method of MCP that is not a call of a tool. */
export interface MethodCall {
  method: string
  params: Readonly<Record<string, unknown>>
}

/** A result, a list of which clients get pages in a field of its name, or what is wrong with the parameters. */
export type MethodAnswer =
  | { result: object }
  | { kind: string; entries: readonly Entry[]; form: (entry: Entry) => object }
  | { problem: string }

/** Why a caller may do nothing any more. */
export type NotAdmitted = 'revoked' | 'no_policy'

export interface NamedCall {
  name: string
  args: Record<string, unknown>
}

export interface ToolFinder {
  find(gateway: Pick<Gateway, 'tools'>, scope: Scope, wanted: Wanted): Promise<Found>
  /** TypeScript declarations. @param form `nested`: as programs name tools */
  declare(tools: readonly DeclaredTool[], form?: 'nested'): string
}

export type DeclaredTool = Pick<CatalogTool, 'name' | 'component' | 'description'>

/** Answers for a job. */
export type JobOwner = (request: OwnerRequest) => Promise<OwnerAnswer>

/**
 * Every hook is optional. One that returns `undefined` has no interest in this request; it costs no promise, because in a
 * component a promise costs a call as much as reading a header.
 */
export interface Feature {
  readonly name: string
  /** Its variables. It adds their types to `Settings` by a declaration of the module. */
  readonly settings?: SettingVariables<object>
  /** Its transports. */
  readonly adapters?: readonly TransportAdapter[]
  /** Runs what requests will run, while the component is built. */
  rehearse?(): void
  /** Whether a path needs no caller: there is nothing to protect, or it checks a capability of its own. */
  isOpen?(pathname: string): boolean
  /** Whether pages of every origin may read what is at a path. */
  isPublic?(pathname: string): boolean
  /** Answers a request, or lets the next feature answer it. To wait for that answer costs each request a promise. */
  handle?(request: Request, scope: Scope, next: () => Served): Served
  /** Sees the answer of a route, and may add headers. */
  answered?(request: Request, scope: Scope, response: Response): void
  /** Gives the caller of a run its present rights. Its capability names the caller, so it sends no credentials. */
  admit?(scope: Scope, request: Request, caller: Caller): NotAdmitted | undefined
  /** Whether it decides by the groups of callers. */
  needsGroups?(scope: Scope): boolean
  /** Headers of the response to a caller who needs these scopes. */
  challenge?(request: Request, scope: Scope, scopes: readonly string[]): Record<string, string>
  /**
   * For requests that have a sealed capability instead of credentials.
   *
   * @throws {ConfigurationError} if others could seal one.
   */
  checkKey?(scope: Scope): void
  /** The tools, prompts and resources as the caller of a request may see them. */
  view?(tools: ToolRepository): ToolRepository
  /** Runs a call of any tool, as the client has sent it. */
  around?(client: ClientRequest, call: ClientCall, next: CallNext): Promise<Outcome> | undefined
  /** Runs a request of another method, such as `resources/read`. */
  aroundMethod?<Reply extends object>(
    client: Pick<ClientRequest, 'scope' | 'request'>,
    call: MethodCall,
    run: () => Reply | Promise<Reply>,
  ): Promise<Reply> | undefined
  /** The tools of one list, if not all. */
  toolList?(
    gateway: Pick<Gateway, 'tools'>,
    scope: Scope,
    request: Request,
    fallback?: ToolsView,
  ): Promise<ToolList> | undefined
  /** Answers `GET /tools` if its parameters are those of a search. @param form of each tool */
  foundTools?(
    gateway: Gateway,
    scope: Scope,
    parameters: URLSearchParams,
    form?: (tool: CatalogTool) => object,
  ): Promise<object> | undefined
  /** Extensions of MCP that clients learn of, with their settings. */
  extensions?(catalog: Catalog): Readonly<Record<string, object>> | undefined
  /** Answers a method of MCP that the kernel does not have. @returns nothing if there is no such method for this caller */
  answerMethod?(
    gateway: Pick<Gateway, 'tools'>,
    scope: Scope,
    call: MethodCall,
  ): Promise<MethodAnswer | undefined> | undefined
  /** Searches and describes tools for other features. */
  readonly finder?: ToolFinder
  /** The call that the client means, if this one is a way to make another. @returns the same for any other call */
  callMeant?<C extends NamedCall>(client: Pick<ClientRequest, 'scope' | 'request'>, call: C): C
  /** Calls a tool of the gateway itself. @returns `undefined` for a tool that it does not have */
  ownTool?(client: ClientRequest, call: ClientCall): Promise<Outcome | undefined> | undefined
  /** Sends a call whose arguments are valid. */
  send?(scope: Scope, tool: CatalogTool, call: ToolCall, next: Send): Promise<Outcome> | undefined
  /** Whether the call goes on with something that was approved when it began. */
  continues?(scope: Scope, tool: CatalogTool, call: ToolCall): Promise<boolean> | undefined
  /** What the operator has accepted of the components. */
  accepted?(scope: Scope): Accepted | undefined
  /** Before components are asked for their lists. @throws what is to be the answer of the request */
  beforeDiscovery?(scope: Scope): void
  /** A catalog that has changed is in the store. It is about all components, and large. */
  catalogStored?(scope: Scope, catalog: Catalog, digest: string): void
  /** Answers for the job instead of a component. */
  ownerOf?(scope: Scope, job: JobRecord): JobOwner | undefined
  /** Whether it starts jobs where no component does. */
  startsJobs?(scope: Scope): boolean
  /** Something has happened that it may want to write down. */
  noted?(scope: Scope, event: GatewayEvent): void
}

/** Hooks that are asked of all features as they are of one. */
type Asked =
  | 'rehearse'
  | 'isOpen'
  | 'isPublic'
  | 'answered'
  | 'admit'
  | 'needsGroups'
  | 'challenge'
  | 'checkKey'
  | 'view'
  | 'toolList'
  | 'foundTools'
  | 'extensions'
  | 'answerMethod'
  | 'callMeant'
  | 'ownTool'
  | 'accepted'
  | 'beforeDiscovery'
  | 'catalogStored'
  | 'ownerOf'
  | 'startsJobs'
  | 'noted'

/** What the features of a gateway do together. */
export interface Hooks extends Required<Pick<Feature, Asked>> {
  readonly finder: ToolFinder | undefined
  handle(request: Request, scope: Scope, last: () => Served): Served
  around(client: ClientRequest, call: ClientCall, last: CallNext): Promise<Outcome>
  aroundMethod<Reply extends object>(
    client: Pick<ClientRequest, 'scope' | 'request'>,
    call: MethodCall,
    run: () => Reply | Promise<Reply>,
  ): Reply | Promise<Reply>
  send(scope: Scope, tool: CatalogTool, call: ToolCall, last: Send): Promise<Outcome>
  continues(scope: Scope, tool: CatalogTool, call: ToolCall): Promise<boolean>
}
