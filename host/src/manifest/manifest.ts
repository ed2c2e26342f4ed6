/**
 * A `spin.toml`, read and checked.
 * @see https://spinframework.dev/v4/manifest-reference
 */

/** A `spin.toml`, checked. */
export interface Manifest {
  /** Absolute path of the file. */
  file: string
  /** Absolute path of its folder; paths in the manifest are relative to it. */
  folder: string
  application: { name: string; version: string | undefined; description: string | undefined }
  /** `[application.tool.*]`: free tables. */
  tool: ToolTables
  variables: Map<string, VariableDefinition>
  triggers: HttpTrigger[]
  components: Map<string, ComponentManifest>
}

/** `[….tool.X]`: what other programs keep in the manifest, unread. */
export type ToolTables = Record<string, Record<string, unknown>>

/** One of `[variables]`. */
export interface VariableDefinition {
  default: string | undefined
  required: boolean
  secret: boolean
}

/** What a trigger answers by itself, without a component. */
export interface StaticResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** One `[[trigger.http]]`. */
export interface HttpTrigger {
  /** As written, or made from its place: static responses have no other name. */
  id: string
  /** `undefined` for a private route. */
  route: string | undefined
  target: { component: string } | { response: StaticResponse }
}

/** `string` is a path. The others are downloaded by Spin; the embedded host refuses them. */
export type ComponentSource =
  string | { url: string; digest: string } | { package: string; version: string }

/** Files a component can read: kept at their path, or moved. */
export type FilesMount = { pattern: string } | { source: string; destination: string }

/** `[component.X]`. */
export interface ComponentManifest {
  id: string
  description: string | undefined
  source: ComponentSource
  variables: Record<string, string>
  environment: Record<string, string>
  files: FilesMount[]
  excludeFiles: string[]
  /** As written; with expressions, which resolve for each instance. */
  allowedOutboundHosts: string[]
  keyValueStores: string[]
  build: BuildConfig | undefined
  /** `[component.X.tool.*]`: free tables. */
  tool: ToolTables
}

/** `[component.X.build]`. */
export interface BuildConfig {
  command: string[]
  workdir: string | undefined
  watch: string[]
}

/** The manifest is wrong. The message names the file and the key. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  readonly file: string
  /** Dotted path of the key, empty for the whole file. */
  readonly key: string

  constructor(file: string, key: string, reason: string) {
    super(key === '' ? `${file}: ${reason}` : `${file}: ${key}: ${reason}`)
    this.file = file
    this.key = key
  }
}

/** Names the tool components; only a gateway has it. */
const GATEWAY_VARIABLE = 'tool_components'

/** Whether `component` is a gateway: all calls of tools go through it, and it names the user to them. */
export function isGateway({ variables }: Pick<ComponentManifest, 'variables'>): boolean {
  return Object.hasOwn(variables, GATEWAY_VARIABLE)
}
