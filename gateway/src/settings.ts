/** The gateway's variables, each read when it is first used and checked there. */
import type { Variables } from 'ftl-platform'
import {
  bridge,
  type BridgeAddress,
  components,
  count,
  flag,
  key,
  list,
  milliseconds,
  oneOf,
  type Parse,
} from './setting-values.ts'

export { isComponentName } from './setting-values.ts'
export type { BridgeAddress }

/** A variable of the component has an unusable value. Shown to the client, so it must not contain a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  constructor(variable: string, problem: string) {
    super(`The gateway's variable "${variable}" ${problem}.`)
  }
}

/** Which clients get `stream/start` for a job. */
export type StreamStart = 'plain' | 'always' | 'never'

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface Settings {
  /** `tool_components`: the tool components in order; the first to name a tool keeps the plain name. */
  readonly toolComponents: readonly string[]
  /**
   * `allowed_origins`: web pages that may use the gateway besides those of this machine and of its own address.
   *
   * Every page a user opens can send requests to any server that the user's machine can reach, including this gateway
   * on localhost or in an intranet. An entry is an origin (`https://app.example`), all origins below a domain
   * (`https://*.example.com`) or `*`, which lets every page call every tool.
   *
   * @default none
   */
  readonly allowedOrigins: readonly string[]
  /**
   * `allowed_hosts`: host names of the gateway, besides localhost and IP addresses.
   *
   * This prevents DNS rebinding: an attacker's page can point its own domain at 127.0.0.1, so that the browser treats
   * the gateway as the page's own origin; only `Host` reveals this. An entry is `host`, `host:port`, `*.example.com`
   * or `*`, which is safe only behind a proxy that checks the name itself.
   *
   * @default none
   */
  readonly allowedHosts: readonly string[]
  /** `discovery_timeout_ms`: milliseconds a component has to describe its tools. @default 2000 */
  readonly discoveryTimeoutMs: number
  /**
   * `discovery_timeout_ms`, for a component that was never asked before, because it may have to be loaded first.
   *
   * @default 10000
   */
  readonly firstDiscoveryTimeoutMs: number
  /** `call_timeout_ms`: milliseconds a tool may take. @default 30000 */
  readonly callTimeoutMs: number
  /** `wait_limit_ms`: milliseconds a call waits for a job before the client gets a handle. @default 50000 */
  readonly waitLimitMs: number
  /**
   * `stream_limit_ms`: milliseconds a call that reports progress waits for a job before the client gets a handle. Must be
   * less than the host allows for a request (600000 by default here): a client that is cut off does not learn the job's id.
   *
   * @default 540000
   */
  readonly streamLimitMs: number
  /** `catalog_ttl_ms`: milliseconds a list is cached before components are asked again; 0 = no cache. @default 5000 */
  readonly catalogTtlMs: number
  /** `list_page_size`: entries of one page of a list. @default 1000 */
  readonly listPageSize: number
  /**
   * `request_state_key`: seals the state that a component sends through a client; a secret of at least 16 characters,
   * the same in every instance.
   *
   * Without a seal a client could forge the state that a component trusts, or use another user's. The key also seals
   * the gateway's own entries if other components can open its store.
   *
   * @default '', a random key that the gateway stores; its own entries are then not sealed
   */
  readonly requestStateKey: string
  /**
   * `own_store`: label of a key-value store that no other component can open.
   *
   * The gateway trusts every entry in it. The embedded host sets it; on Spin the manifest may. If it is empty, other
   * components may be able to open the gateway's store, so its entries are sealed with `request_state_key`, if set.
   *
   * @default '', the store `default`
   */
  readonly ownStore: string
  /**
   * `request_state_ttl_ms`: milliseconds for which a sealed state is valid, and so for which a stolen one can be used.
   *
   * @default 600000
   */
  readonly requestStateTtlMs: number
  /**
   * `trust_forwarded_user`: the header `x-forwarded-user` names the user of a request; requests without it are refused.
   *
   * Set it only if a proxy in front authenticates users and sets the header itself. Otherwise any client can
   * impersonate any user.
   *
   * @default false
   */
  readonly trustForwardedUser: boolean
  /**
   * `host_checks_forwarded`: the host passes `x-forwarded-user` between components only with the value that the
   * client's request has, so a request of a component may name the user.
   *
   * The embedded host sets it; a manifest must not. If it is set on a host that does not check the header, any
   * component that may call the gateway can impersonate any user.
   *
   * @default false
   */
  readonly hostChecksForwarded: boolean
  /** `stream_start`. @default 'plain' */
  readonly streamStart: StreamStart
  /** `bridge_url`: an address, or `:port` on the host the client called. @default ':8001' */
  readonly bridge: BridgeAddress
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(\*\.)?[^\s/?#@*]+$/
const HOST = /^(\*\.)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?$/

const VARIABLES: { [K in keyof Settings]: [variable: string, parse: Parse<Settings[K]>] } = {
  toolComponents: ['tool_components', components],
  allowedOrigins: [
    'allowed_origins',
    list(ORIGIN, 'an origin (scheme://host or scheme://host:port)'),
  ],
  allowedHosts: ['allowed_hosts', list(HOST, 'a host or host:port')],
  discoveryTimeoutMs: ['discovery_timeout_ms', milliseconds(2_000)],
  firstDiscoveryTimeoutMs: ['discovery_timeout_ms', milliseconds(10_000)],
  callTimeoutMs: ['call_timeout_ms', milliseconds(30_000)],
  waitLimitMs: ['wait_limit_ms', milliseconds(50_000)],
  streamLimitMs: ['stream_limit_ms', milliseconds(540_000)],
  catalogTtlMs: ['catalog_ttl_ms', milliseconds(5_000, 0)],
  listPageSize: ['list_page_size', count(1_000)],
  requestStateKey: ['request_state_key', key],
  ownStore: ['own_store', (text) => text],
  requestStateTtlMs: ['request_state_ttl_ms', milliseconds(600_000)],
  trustForwardedUser: ['trust_forwarded_user', flag],
  hostChecksForwarded: ['host_checks_forwarded', flag],
  streamStart: ['stream_start', oneOf<StreamStart>('plain', 'always', 'never')],
  bridge: ['bridge_url', bridge],
}

class Reader {
  readonly #variables: Variables
  constructor(variables: Variables) {
    this.#variables = variables
  }

  read<T>(variable: string, parse: Parse<T>): T {
    const text = (this.#variables.get(variable) ?? '').trim()
    return parse(text, (problem) => {
      throw new ConfigurationError(variable, problem)
    })
  }
}

// Defined when the component is built, so that a request parses only the members it uses.
for (const [name, [variable, parse]] of Object.entries(VARIABLES)) {
  Object.defineProperty(Reader.prototype, name, {
    get(this: Reader) {
      const value: unknown = this.read<unknown>(variable, parse)
      Object.defineProperty(this, name, { value })
      return value
    },
  })
}

export function createSettings(variables: Variables): Settings {
  return new Reader(variables) as unknown as Settings
}
