/**
 * Embedded Spin-compatible host for WebAssembly components on Node.
 *
 * @module
 */
export {
  type ComponentImport,
  componentImports,
  componentInterfaces,
  type ComponentInterfaces,
} from './generic/inspect.ts'
export { AuditFile, AuditFileError } from './audit/audit-file.ts'
export { hashOf, type Head, linkOf, START } from './audit/hash-chain.ts'
export { startHost } from './host.ts'
export { collectAll } from './instance/discarded.ts'
export { type SourceMark, withMark } from './wasm/source-mark.ts'
export { withoutNames } from './wasm/without-names.ts'
export { withoutUnusedCode } from './wasm/unused-code.ts'
export { RateLimitError } from './limits/rate-limit-options.ts'
export { parseRate } from './limits/rate.ts'
export type { ErrorEntry, Host, HostOptions, LocalHost, LogEntry } from './host-options.ts'
export { PLATFORM_NAMES, type PlatformName } from './platforms/platforms.ts'
export type { PrepareEvent } from './prepare/programs.ts'
export type { InnerCall } from './requests/request-entry.ts'
export { type AddressKind, kindOf as addressKind } from './http/addresses.ts'
export { AllowedHosts, defaultPort } from './manifest/allowed-hosts.ts'
export { backUp, BackupError, type Copied, restore } from './kv/backup.ts'
export type { StatePlaces } from './kv/entry-files.ts'
export { makePrivate } from './kv/private-folder.ts'
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
export { MountedFiles } from './files/mounted-files.ts'
export { openStores } from './kv/stores.ts'
export { type Reach, reachOf, reachText } from './manifest/reach.ts'
export { loadManifest, type ManifestOptions, parseManifest } from './manifest/parse.ts'
export { keyHint } from './manifest/table.ts'
export { SelectionError } from './manifest/select.ts'
export { LostThreadsError } from './pool/lost-threads.ts'
export type { WorkerLost } from './pool/pool.ts'
export { PrepareError } from './prepare/prepare.ts'
export { prepareAhead, type PrepareAheadOptions } from './prepare/prepare-ahead.ts'
export {
  HostEndedError,
  type HostProcessOptions,
  startHostProcess,
} from './process/start-host-process.ts'
export { loadRuntimeConfig, type RuntimeConfig } from './runtime-config/runtime-config.ts'
export { type SimulatedWorld, simulatedWorld } from './outbound/simulation.ts'
export { PortInUseError } from './server/listen-address.ts'
export type { RequestEntry } from './requests/request-entry.ts'
export { TelemetryError } from './telemetry/settings.ts'
export { readVariables, VariableSourceError } from './variables/source.ts'
export { MissingVariablesError, UndeclaredVariableError, Variables } from './variables/variables.ts'
