/** What `spin.toml` lacks for variables of the gateway: what it does not declare, it cannot set. */
import {
  EARLIER_VARIABLES,
  GATEWAY_VARIABLES,
  gatewayBindings,
  reachesGateway,
  type VariableSpec,
} from 'create-ftl-tool'
import type { ComponentManifest, Manifest } from 'ftl-host'

/** What is to be added. */
export interface Lacking {
  /** To `[variables]`. */
  declarations: Record<string, VariableSpec>
  /** To the variables of the gateway, with their whole values: some exist, and get more. */
  bindings: Record<string, string>
  /** To its `allowed_outbound_hosts`. */
  hosts: string[]
  /** The variables of the application that can then be set. */
  names: string[]
}

const namesIn = (template: string): string[] =>
  [...template.matchAll(/\{\{ (\w+) \}\}/g)].map(([, name = '']) => name)

const ORDER = Object.values(gatewayBindings()).flatMap(namesIn)

/** Variables that a new application declares, in the order in which it passes them on. */
export const CURRENT_VARIABLES: readonly string[] = Object.keys(GATEWAY_VARIABLES)
  .filter((name) => !EARLIER_VARIABLES.includes(name))
  .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))

/** @param names of variables of the gateway. @default all but those of earlier versions */
export function lackingOf(
  gateway: ComponentManifest,
  manifest: Pick<Manifest, 'variables'>,
  names: readonly string[] = CURRENT_VARIABLES,
): Lacking {
  const lacking: Lacking = { declarations: {}, bindings: {}, hosts: [], names: [] }
  const bound = { ...gateway.variables }
  for (const name of names) {
    const reaches = reachesGateway(name)
    if (!reaches) continue
    if ('host' in reaches) {
      if (gateway.allowedOutboundHosts.includes(reaches.host)) continue
      lacking.hosts.push(reaches.host)
    } else {
      const value = extended(name, reaches, bound)
      if (value === undefined) continue
      bound[reaches.variable] = value
      lacking.bindings[reaches.variable] = value
    }
    lacking.names.push(name)
    if (!manifest.variables.has(name)) lacking.declarations[name] = usual(name)
  }
  return lacking
}

/** An application that does not declare the address of a bridge has none. */
function usual(name: string): VariableSpec {
  const spec = GATEWAY_VARIABLES[name] ?? { default: '', description: '' }
  return name === 'bridge_url' ? { ...spec, default: 'off' } : spec
}

/** @returns the value of the gateway's variable with `name` in it, `undefined` if the gateway gets it already. */
function extended(
  name: string,
  { variable, value }: { variable: string; value: string },
  bound: Readonly<Record<string, string>>,
): string | undefined {
  const before = Object.hasOwn(bound, variable) ? bound[variable] : undefined
  if (variable === name) return before === undefined ? value : undefined
  // One variable that has several settings.
  if (before !== undefined) {
    const hasIt = before.split(';').some((part) => part.split('=')[0]?.trim() === name)
    return hasIt ? undefined : `${before}; ${name}={{ ${name} }}`
  }
  // Only that of earlier versions is read by itself; it must keep its value.
  if (Object.hasOwn(bound, name)) return undefined
  return [...ownValues(variable, bound), `${name}={{ ${name} }}`].join('; ')
}

function ownValues(variable: string, bound: Readonly<Record<string, string>>): string[] {
  const names = namesIn(gatewayBindings()[variable] ?? '')
  return names.filter((name) => Object.hasOwn(bound, name)).map((name) => `${name}=${bound[name]}`)
}
