import type { HostShare } from '../instance/host-share.ts'
import type { EntryRules } from '../kv/entry-rules.ts'
import type { StoreLimits } from '../kv/store-limits.ts'
import type { StorePlaces } from '../kv/stores.ts'
import type { Ward } from '../wire/guest-cells.ts'
import type { ComponentManifest, Manifest } from '../manifest/manifest.ts'
import type { Simulation } from '../outbound/simulation.ts'
import type { PreparedProgram } from '../generic/generic-instance.ts'
import type { NativeProgram } from '../native/native-program.ts'

/** Everything a worker thread needs to serve the application; it is cloned into the thread. */
export interface WorkerSettings {
  manifest: Manifest
  programs: readonly { component: ComponentManifest; program: PreparedProgram | NativeProgram }[]
  /** Values of the variables that components use. */
  variables: Readonly<Record<string, string>>
  /** Value of the variable `dev_build`; `undefined` when not in development. */
  devBuild: string | undefined
  /** Variables that a component gets only while it is developed, by component. */
  devVariables: Readonly<Record<string, Readonly<Record<string, string>>>>
  stores: StorePlaces
  storeLimits: StoreLimits
  /** Its rates are this worker's share. */
  entryRules: EntryRules
  /** Whether the host keeps an audit log, for which gateways write lines. */
  audited: boolean
  /** Whether no component may get a call whose beginning is not in the audit log. */
  auditRequired: boolean
  /** See the options of the same names of `HostOptions`. */
  maxInstances: number
  /** Of these, instances in this worker for calls of other components: the main thread does not count them. */
  maxCalledInstances: number
  abandonedMs: number
  limits: HostShare
  /** Bytes a second that one component may print in this worker: its share of `maxOutputRate`. */
  outputRate: number
  maxChainDepth: number
  /** Makes an instance of each component ahead of the first request. */
  warm: boolean
  /** Whether requests may carry a trace. */
  traced: boolean
  /** Shared with the main thread. See {@link InstanceCounters}. `undefined` when instances are not counted. */
  counters: Int32Array | undefined
  /** Folder of the code cache; `undefined` for no cache. */
  codeCacheDir: string | undefined
  /** `undefined` except in tests. */
  simulation: Simulation | undefined
  /** Modules to import before anything else. */
  imports: readonly string[]
  /** The address at which the application listens, once it is known. */
  self: { host: string; port: number } | undefined
  /** Which components run in this worker: those of its ward and of those below. */
  ward: Ward
  /** The highest ward of each component's calls, by its number. Shared with the main thread. */
  wards: Int32Array
  /** Not 0 once the host stops. Shared with the main thread and with all others. */
  stops: Int32Array
  /** Shared with the main thread. See {@link CELL}, {@link Claims} and {@link LogChannel}. */
  cells: Int32Array
  claims: Int32Array
  logBacklog: Int32Array
  /** The same; see {@link AuditRing}. `undefined` without an audit log. */
  auditMemory: SharedArrayBuffer | undefined
}
