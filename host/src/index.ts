/**
 * Embedded Spin-compatible host for WebAssembly components on Node.
 *
 * @module
 */
export {
  type ErrorEntry,
  type Host,
  type HostOptions,
  type LogEntry,
  type PrepareEvent,
  startHost,
} from './host.ts'
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
export { loadManifest, parseManifest } from './manifest/parse.ts'
export { PrepareError } from './prepare/prepare.ts'
export { PortInUseError } from './server/listen-address.ts'
export { MissingVariablesError } from './variables/variables.ts'
