/**
 * Embedded Spin-compatible host for WebAssembly components on Node.
 *
 * @module
 */
export { startHost } from './host.ts'
export type { ErrorEntry, Host, HostOptions, LogEntry, PrepareEvent } from './host-options.ts'
export { StateDirInUseError } from './kv/state-lock.ts'
export type { PublicRoute } from './manifest/application.ts'
export {
  type BuildConfig,
  type ComponentManifest,
  type ComponentSource,
  type FilesMount,
  type HttpTrigger,
  type Manifest,
  ManifestError,
  type StaticResponse,
  type ToolTables,
  type VariableDefinition,
} from './manifest/manifest.ts'
export { loadManifest, type ManifestOptions, parseManifest } from './manifest/parse.ts'
export { SelectionError } from './manifest/select.ts'
export type { WorkerLost } from './pool/pool.ts'
export { PrepareError } from './prepare/prepare.ts'
export { loadRuntimeConfig, type RuntimeConfig } from './runtime-config/runtime-config.ts'
export { PortInUseError } from './server/listen-address.ts'
export type { RequestEntry } from './telemetry/request-entry.ts'
export { TelemetryError } from './telemetry/settings.ts'
export { readVariables, VariableSourceError } from './variables/source.ts'
export { MissingVariablesError } from './variables/variables.ts'
