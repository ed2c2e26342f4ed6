/**
 * Resources of one request. A host call costs about half a millisecond, so each one is made only when needed and only
 * once.
 */
import type { KeyValue, Platform } from 'ftl-platform'
import type { Caller } from './caller.ts'
import { Connection } from './connection.ts'
import type { Hooks } from './feature.ts'
import { NO_HOOKS } from './hooks.ts'
import type { Permissions } from './permissions.ts'
import { createSettings, type Settings } from './settings.ts'

/** One request of a client: its user, the platform and the components it is about. */
export interface Scope {
  readonly platform: Platform
  readonly settings: Settings
  /** What the features of the gateway do. */
  readonly hooks: Hooks
  /** Id of the client's request, for logs here and in the components. */
  readonly requestId: string
  /** Whether the path needs no caller. */
  readonly isOpen: boolean
  /** The authenticated user of the request. @default no user */
  readonly principal?: string
  /** What is known of that user. @default no user */
  readonly caller?: Caller
  /** The token with which the caller came, and which components get it. @default none gets it */
  readonly token?: { readonly text: string; readonly components: readonly string[] }
  /** What the caller may do; the repository applies it. @default everything */
  readonly permissions?: Permissions
  /** Where in the arguments a number is that JavaScript has rounded: the call is refused. @default no number is */
  rounded?: string | undefined
  /** Capabilities of the owned jobs that this request has read, by job. */
  readonly links: Map<string, string>
  /**
   * The components this request is about, in order.
   *
   * @throws {ConfigurationError}
   */
  readonly components: readonly string[]
  /** The one component it is about. @default all of them */
  readonly only?: string
  /** Milliseconds since the epoch when every call of this request ends. @default each call has its own time */
  readonly until?: number
  /** The run that makes this request, for the audit log. @default a client */
  readonly run?: { id: string; call: number }
  /** The client's end of this request: whether it is still there, and whether it has its response. */
  readonly connection: Connection
  /**
   * The gateway's own store, else the store `default`; opened once.
   *
   * @throws {KeyValueError} when the component may not open it.
   */
  store(): Promise<KeyValue>
}

export interface ScopeOptions {
  /** @default the variables of the platform, without those of features */
  settings?: Settings
  /** @default no features */
  hooks?: Hooks
  /** @default false */
  isOpen?: boolean
}

export function createScope(
  platform: Platform,
  requestId: string,
  {
    settings = createSettings(platform.variables),
    hooks = NO_HOOKS,
    isOpen = false,
  }: ScopeOptions = {},
): Scope {
  let store: Promise<KeyValue> | undefined
  let components: readonly string[] | undefined
  return {
    platform,
    settings,
    hooks,
    requestId,
    isOpen,
    links: new Map(),
    get components() {
      return (components ??= [...settings.toolComponents.keys()])
    },
    connection: new Connection(),
    store: () => (store ??= platform.openKeyValue(settings.ownStore || 'default')),
  }
}

/** Makes it the scope of a request of this caller, before any other part has it. */
export function identify(scope: Scope, caller: Caller): Scope {
  return Object.assign(scope, { caller, principal: caller.principal })
}

/** The same scope, about all components. */
export function widened(scope: Scope): Scope {
  const { only, ...rest } = scope
  return { ...rest, components: [...scope.settings.toolComponents.keys()] }
}

/** The same scope, limited to one component. */
export function narrowed(scope: Scope, component: string): Scope {
  return { ...scope, components: [component], only: component }
}
