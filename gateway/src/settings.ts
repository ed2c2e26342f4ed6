/** The gateway's variables, each read when it is first used and checked there. */
import {
  type AccessLists,
  accessVariables,
  type BridgeAddress,
  bridgeVariable,
  defineSettings,
  type SettingsOf,
  type SettingVariables,
} from 'ftl-http'
import type { Feature } from './feature.ts'
import { type ToolReach, toolReach } from './catalog/reach.ts'
import { type CallSettings, callSettings } from './call-settings.ts'
import { type ListSettings, listSettings } from './catalog/list-settings.ts'
import { codeComponent, components, flag, key, milliseconds, oneOf } from './setting-values.ts'

export { isComponentName } from './setting-values.ts'

/** Which clients get `stream/start` for a job. */
export type StreamStart = 'plain' | 'always' | 'never'

/**
 * With the settings of features, which each of them adds by a declaration of this module. The kernel reads its own only: a
 * gateway that is built without a feature has not the feature's.
 *
 * @throws {ConfigurationError} by every member, when its variable is unusable.
 */
export interface Settings extends KernelSettings {}

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
interface KernelSettings extends AccessLists {
  /**
   * `call_settings`: the variable of the gateway that has `call_timeout_ms`, `audit`, `audit_arguments`, `calls_per_minute`,
   * `jobs_per_day`, `job_ttl_ms` and `store_bytes`, as `audit=on; jobs_per_day=50`. Of a manifest without it, the gateway
   * reads `call_timeout_ms`.
   *
   * What each call needs to know is one variable, because reading a variable takes time on Spin.
   *
   * @default set in `spin.toml`
   */
  readonly callSettings: CallSettings
  /**
   * `list_settings`: the variable of the gateway that has `list_page_size`, `list_changes`, `tools_mode`,
   * `list_budget_tokens` and `always_visible`, as `tools_mode=on; list_budget_tokens=8000`.
   *
   * @default set in `spin.toml`
   */
  readonly listSettings: ListSettings
  /**
   * `tool_components`: the tool components in order; the first to name a tool keeps the plain name.
   * The value is the component that it is a member of, or its own name.
   */
  readonly toolComponents: ReadonlyMap<string, string>
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
   * `own_store`: label of a key-value store that no other component can open. The embedded host sets it; `ftl spin-config`
   * sets it for Spin.
   *
   * The gateway trusts every entry in it. If it is empty, other
   * components may be able to open the gateway's store, so its entries are sealed with `request_state_key`, if set.
   *
   * @default the store `default`
   */
  readonly ownStore: string
  /**
   * `request_state_ttl_ms`: milliseconds for which a sealed state is valid, and so for which a stolen one can be used.
   *
   * @default 600000
   */
  readonly requestStateTtlMs: number
  /**
   * `link_ttl_ms`: milliseconds for which a link to a file or a stream of an owned job is valid without a token.
   *
   * @default 86400000
   */
  readonly linkTtlMs: number
  /**
   * `host_checks_forwarded`: set by the embedded host. A manifest must not set it: any component that may call the
   * gateway could then impersonate any user.
   *
   * It says that the host passes `x-forwarded-user` between components only with the value that the client's request
   * has, so a request of a component may name the user.
   *
   * @default `false`
   */
  readonly hostChecksForwarded: boolean
  /**
   * `host_conditional_writes`: set by the embedded host, which understands the condition of a write. A manifest must not
   * set it (docs/state.md#writes-at-the-same-moment)
   *
   * @default `false`
   */
  readonly hostConditionalWrites: boolean
  /**
   * `host_store_bytes`: set by the embedded host: bytes that the gateway may store. A manifest must not set it.
   *
   * @default 0: the host does not say
   */
  readonly hostStoreBytes: number
  /**
   * `dev_build`: set by `ftl dev`: id of the build that is served. While it is set, clients are notified when a list
   * changes, and each that listens holds an instance of the gateway (docs/clients.md#changed-tools)
   *
   * The stored catalog of another build is not trusted.
   *
   * @default empty: not in development
   */
  readonly devBuild: string
  /**
   * `tool_reach`: what each component may reach, as JSON, for the lists. The embedded host sets it unless the manifest
   * does, and `ftl spin-config` writes it for Spin; `{}` publishes nothing (docs/security.md#what-a-tool-may-reach)
   *
   * Read when components are asked.
   *
   * @default what `spin.toml` says
   */
  readonly toolReach: ToolReach
  /** `code_component`: the component whose tool `run_code` runs programs. @default 'code' */
  readonly codeComponent: string
  /** `stream_start`. @default 'plain' */
  readonly streamStart: StreamStart
  /** `bridge_url`: an address, `:port` on the host the client called, `off` or `down`. @default ':8001' */
  readonly bridge: BridgeAddress
}

const variables: SettingVariables<KernelSettings> = {
  ...accessVariables,
  callSettings: ['call_settings', callSettings],
  listSettings: ['list_settings', listSettings],
  toolComponents: ['tool_components', components],
  discoveryTimeoutMs: ['discovery_timeout_ms', milliseconds(2_000)],
  firstDiscoveryTimeoutMs: ['discovery_timeout_ms', milliseconds(10_000)],
  callTimeoutMs: ['call_timeout_ms', milliseconds(30_000)],
  waitLimitMs: ['wait_limit_ms', milliseconds(50_000)],
  streamLimitMs: ['stream_limit_ms', milliseconds(540_000)],
  catalogTtlMs: ['catalog_ttl_ms', milliseconds(5_000, 0)],
  requestStateKey: ['request_state_key', key],
  ownStore: ['own_store', (text) => text],
  requestStateTtlMs: ['request_state_ttl_ms', milliseconds(600_000)],
  linkTtlMs: ['link_ttl_ms', milliseconds(86_400_000)],
  hostChecksForwarded: ['host_checks_forwarded', flag],
  hostConditionalWrites: ['host_conditional_writes', flag],
  hostStoreBytes: ['host_store_bytes', Number],
  devBuild: ['dev_build', (text) => text],
  toolReach: ['tool_reach', toolReach],
  codeComponent: ['code_component', codeComponent],
  streamStart: ['stream_start', oneOf<StreamStart>('plain', 'always', 'never')],
  bridge: bridgeVariable,
}

/**
 * The settings of requests, with those of features.
 *
 * @throws {TypeError} for a feature that takes the setting of another one: its checks would read something else.
 */
export function settingsWith(
  features: readonly Pick<Feature, 'name' | 'settings'>[],
): SettingsOf<Settings> {
  const all: Record<string, unknown> = { ...variables }
  for (const { name, settings = {} } of features) {
    for (const [setting, entry] of Object.entries(settings)) {
      if (Object.hasOwn(all, setting)) {
        throw new TypeError(
          `The feature "${name}" has a setting "${setting}", which is taken: give it another name.`,
        )
      }
      all[setting] = entry
    }
  }
  return defineSettings(all as SettingVariables<Settings>)
}

/** The settings of a feature, by its table: for one that does not declare their types. */
export function settingsOf<T>(
  { settings }: { readonly settings: Settings },
  _table: SettingVariables<T>,
): T {
  return settings as unknown as T
}

/** Without those of features. */
export const createSettings = settingsWith([])
