/**
 * What an application is served with: its manifest and what the runtime configuration, the environment and
 * the caller say beside it.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { StateOptions } from '../kv/state.ts'
import type { StoreLimits } from '../kv/store-limits.ts'
import {
  checkSharedStores,
  storeName,
  type StoreView,
  viewOf,
  withoutId,
} from '../kv/store-view.ts'
import { type Manifest, ManifestError } from '../manifest/manifest.ts'
import { loadManifest } from '../manifest/parse.ts'
import {
  exposeComponent,
  selectComponents,
  withEnvironment,
  withSources,
} from '../manifest/select.ts'
import type { Environment } from '../variables/provider.ts'
import { usedVariables, Variables, type VariablesOptions } from '../variables/variables.ts'
import { loadRuntimeConfig, parseRuntimeConfig, type RuntimeConfig } from './runtime-config.ts'

export interface ApplicationOptions extends Partial<StoreLimits> {
  /** `spin.toml`, or the folder it is in. */
  manifest: string
  /** The build profile whose overrides hold. @default none */
  profile?: string | undefined
  /** Ids of the components to serve. @default all */
  components?: readonly string[] | undefined
  /**
   * Id of a component that answers every path, also when its routes are private; no other one is reachable from
   * outside then. For tests of one component. @default none
   */
  expose?: string | undefined
  /** Environment variables for every component; they win over the manifest's. @default none */
  environment?: Readonly<Record<string, string>> | undefined
  /** Values of variables; they win over the runtime configuration, the environment and `.env`. */
  variables?: Readonly<Record<string, string>> | undefined
  /** @default process.env */
  env?: Environment | undefined
  /**
   * Folder of the default key-value store; empty keeps it only while the host runs. One host at a time.
   *
   * @default `state_dir` of the runtime configuration, else '.spin' beside the manifest
   */
  stateDir?: string | undefined
  /** Entries put into the default key-value store of every component that has one, at the start. @default none */
  keyValues?: Readonly<Record<string, string>> | undefined
  /** Path of a runtime configuration. @default none */
  runtimeConfigFile?: string | undefined
  /** What some components are served with while they are developed, by id. @default none */
  overrides?: Readonly<Record<string, ComponentOverride>> | undefined
}

/** What a component is served with instead of what the manifest says. */
export interface ComponentOverride {
  /** Absolute path of a `.wasm` in the folder of the manifest. */
  source?: string
  /** Values of variables that no component has to declare; what the manifest declares is not overwritten. */
  variables?: Readonly<Record<string, string>>
}

/** Plain data throughout, so that every thread can have it. */
export interface ApplicationSettings {
  manifest: Manifest
  /** Values of the variables that components use; no others, and nothing of the environment, reach a thread. */
  variables: Readonly<Record<string, string>>
  state: StateOptions
  /** Of the runtime configuration. */
  config: RuntimeConfig
  /** Variables of {@link ApplicationOptions.overrides}, by component. */
  devVariables: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Reads everything and finds every mistake that can be found before anything is started.
 *
 * @throws {ManifestError} {@link SelectionError} {@link MissingVariablesError}
 */
export async function readApplication(options: ApplicationOptions): Promise<ApplicationSettings> {
  const { profile, components, environment, runtimeConfigFile } = options
  const config =
    runtimeConfigFile === undefined
      ? parseRuntimeConfig('', '')
      : await loadRuntimeConfig(runtimeConfigFile)
  let manifest = await loadManifest(options.manifest, { profile })
  if (components && components.length > 0) manifest = selectComponents(manifest, components)
  if (options.expose !== undefined) manifest = exposeComponent(manifest, options.expose)
  if (environment) manifest = withEnvironment(manifest, environment)
  const overrides = Object.entries(options.overrides ?? {})
  manifest = withSources(
    manifest,
    new Map(overrides.flatMap(([id, { source }]) => (source === undefined ? [] : [[id, source]]))),
  )
  checkSupported(manifest, ['default', ...Object.keys(config.stores)])
  // Missing variables are reported before anything starts.
  const variables = new Variables(manifest, variablesOptions(manifest, config, options))
  return {
    manifest,
    variables: variables.values(usedVariables(manifest)),
    config,
    devVariables: Object.fromEntries(overrides.map(([id, { variables = {} }]) => [id, variables])),
    state: {
      stateDir: options.stateDir ?? config.stateDir ?? join(manifest.folder, '.spin'),
      stores: config.stores,
      ...(options.keyValues && { keyValues: options.keyValues }),
      defaultStores: defaultStores(manifest),
      limits: limitsOf(options),
    },
  }
}

function limitsOf({ maxStoreKeys, maxStoreBytes }: ApplicationOptions): Partial<StoreLimits> {
  return {
    ...(maxStoreKeys !== undefined && { maxStoreKeys }),
    ...(maxStoreBytes !== undefined && { maxStoreBytes }),
  }
}

/** The store `default` as each component sees it, and each of them once. */
function defaultStores({ components }: Manifest): StoreView[] {
  const views = [...components.values()].flatMap((component) => {
    const label = component.keyValueStores.includes('default')
      ? 'default'
      : `${component.id}.default`
    return viewOf(component, label) ?? []
  })
  return [...new Map(views.map((view) => [storeName(view), view])).values()]
}

function variablesOptions(
  manifest: Manifest,
  { providers }: RuntimeConfig,
  { variables, env = process.env }: ApplicationOptions,
): VariablesOptions {
  return {
    ...(variables && { overrides: variables }),
    providers,
    env,
    folders: [process.cwd(), manifest.folder],
  }
}

/**
 * Checks what is valid in a manifest and not on this host or machine.
 *
 * @param labels of the key-value stores there are.
 * @throws {ManifestError}
 */
export function checkSupported(manifest: Manifest, labels: readonly string[] = ['default']): void {
  const { file, folder, components } = manifest
  checkSharedStores(manifest)
  for (const { id, keyValueStores, files } of components.values()) {
    const unknown = keyValueStores.find(
      (label) => !labels.includes(label) && !labels.includes(withoutId(id, label)),
    )
    if (unknown !== undefined) {
      const reason =
        `unknown store "${unknown}"; there is ${labels.map((label) => `"${label}"`).join(', ')}, ` +
        'and a runtime configuration can define more'
      throw new ManifestError(file, `component.${id}.key_value_stores`, reason)
    }
    for (const [index, mount] of files.entries()) {
      if (!('source' in mount) || existsSync(resolve(folder, mount.source))) continue
      const reason = `"${mount.source}" does not exist`
      throw new ManifestError(file, `component.${id}.files[${index}].source`, reason)
    }
  }
}
