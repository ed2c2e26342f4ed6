/**
 * What a feature adds to the gateway. The kernel knows features by this alone: it imports none of them, and a gateway
 * without one is built without its code. The order of the shipped features is in `features.ts`.
 */
import type { JobRecord } from 'ftl-contract'
import type { SettingVariables } from 'ftl-http'
import type { CatalogTool } from './catalog/catalog.ts'
import type { TransportAdapter } from './gateway.ts'
import type { ToolCall } from './invoke/invoker.ts'
import type { Outcome } from './invoke/outcome.ts'
import type { OwnerAnswer, OwnerRequest } from './jobs/owner.ts'
import type { Scope } from './scope.ts'

/** Sends a call on, to the next feature or to the component. */
export type Send = (call: ToolCall) => Promise<Outcome>

export interface Feature {
  readonly name: string
  /** Its variables. It adds their types to `Settings` by a declaration of the module. */
  readonly settings?: SettingVariables<object>
  /** Its transports. */
  readonly adapters?: readonly TransportAdapter[]
  /** Whether a path needs no caller: what is there checks a capability of its own. */
  isOpen?(pathname: string): boolean
  /**
   * Sends a call whose arguments are valid. Each feature decides whether the next one gets it.
   *
   * @returns `undefined` if the call is none of its business: that costs a call no promise.
   */
  send?(scope: Scope, tool: CatalogTool, call: ToolCall, next: Send): Promise<Outcome> | undefined
  /** Whether the call goes on with something that was approved when it began. @returns `undefined` for any other call */
  continues?(scope: Scope, tool: CatalogTool, call: ToolCall): Promise<boolean> | undefined
  /** Answers for the job instead of a component. @returns `undefined` for the job of a component */
  ownerOf?(
    scope: Scope,
    job: JobRecord,
  ): ((request: OwnerRequest) => Promise<OwnerAnswer>) | undefined
  /** Whether it starts jobs where no component does. */
  startsJobs?(scope: Scope): boolean
}

/** What the features of a gateway do together. Composed once, while the component is built. */
export interface Hooks {
  isOpen(pathname: string): boolean
  send(scope: Scope, tool: CatalogTool, call: ToolCall, last: Send): Promise<Outcome>
  continues(scope: Scope, tool: CatalogTool, call: ToolCall): Promise<boolean>
  ownerOf(
    scope: Scope,
    job: JobRecord,
  ): ((request: OwnerRequest) => Promise<OwnerAnswer>) | undefined
  startsJobs(scope: Scope): boolean
}

/** The features that have this hook, bound to it: the others cost a request nothing. */
function having<K extends keyof Feature>(
  features: readonly Feature[],
  hook: K,
): (Feature & Required<Pick<Feature, K>>)[] {
  return features.filter(
    (feature): feature is Feature & Required<Pick<Feature, K>> => feature[hook] !== undefined,
  )
}

export function composed(features: readonly Feature[]): Hooks {
  const [open, sending, continuing, owning, starting] = [
    having(features, 'isOpen'),
    having(features, 'send'),
    having(features, 'continues'),
    having(features, 'ownerOf'),
    having(features, 'startsJobs'),
  ]
  const sendFrom = (
    at: number,
    scope: Scope,
    tool: CatalogTool,
    call: ToolCall,
    last: Send,
  ): Promise<Outcome> => {
    for (let place = at; place < sending.length; place++) {
      const next = (passed: ToolCall) => sendFrom(place + 1, scope, tool, passed, last)
      const sent = sending[place]?.send(scope, tool, call, next)
      if (sent) return sent
    }
    return last(call)
  }
  return {
    isOpen: (pathname) => open.some((feature) => feature.isOpen(pathname)),
    send: (scope, tool, call, last) => sendFrom(0, scope, tool, call, last),
    async continues(scope, tool, call) {
      for (const feature of continuing) {
        const continues = feature.continues(scope, tool, call)
        if (continues) return continues
      }
      return false
    },
    ownerOf(scope, job) {
      for (const feature of owning) {
        const owner = feature.ownerOf(scope, job)
        if (owner) return owner
      }
      return undefined
    },
    startsJobs: (scope) => starting.some((feature) => feature.startsJobs(scope)),
  }
}

/** Of a gateway without features. */
export const NO_HOOKS: Hooks = composed([])
