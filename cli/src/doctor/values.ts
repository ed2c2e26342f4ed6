/** The variables of components with the values that a start would give them, and what the components may request. */
import {
  type AllowedHosts,
  type ComponentManifest,
  defaultPort,
  loadRuntimeConfig,
  type Manifest,
  MissingVariablesError,
  Variables,
} from 'ftl-host'

/** The variables of one component, with their values. */
type Values = (name: string) => string

export interface WithValues {
  component: ComponentManifest
  value: Values
  resolve: (template: string) => string
}

/** Where values come from. */
export interface ValueSources {
  /** From the command line. */
  variable: Readonly<Record<string, string>>
  runtimeConfigFile?: string | undefined
}

/**
 * The components that have this variable.
 *
 * @returns none while required variables have no value: others report that.
 */
export async function componentsWith(
  variable: string,
  manifest: Manifest,
  { variable: overrides, runtimeConfigFile: file }: ValueSources,
): Promise<WithValues[]> {
  const folders = [process.cwd(), manifest.folder]
  const { providers = [] } = file === undefined ? {} : await loadRuntimeConfig(file)
  let variables: Variables
  try {
    variables = new Variables(manifest, { overrides, providers, env: process.env, folders })
  } catch (error) {
    if (error instanceof MissingVariablesError) return []
    throw error
  }
  const resolve = (template: string) => variables.resolve(template)
  return [...manifest.components.values()]
    .filter(({ variables: own }) => Object.hasOwn(own, variable))
    .map((component) => {
      const { variables: own } = component
      const value: Values = (name) => (Object.hasOwn(own, name) ? resolve(own[name] ?? '') : '')
      return { component, value, resolve }
    })
}

/** Whether a component may request the address. */
export function mayReach(allowed: AllowedHosts, address: string): boolean {
  const { protocol, hostname, port } = new URL(address)
  const scheme = protocol.slice(0, -1)
  const host = hostname.replace(/^\[|\]$/g, '')
  const destination = { scheme, host, port: port === '' ? defaultPort(scheme) : Number(port) }
  return allowed.reach(destination) !== undefined
}
