/** What the components of a manifest may reach: what the host lets them use, and nothing else. */
import { type ComponentManifest, isGateway, type Manifest } from './manifest.ts'

/** What one component may reach. A list that would be empty is absent. */
export interface Reach {
  /** Outbound hosts as in the manifest; `${name}` stands for the value of a variable. */
  hosts?: string[]
  /** Other components of the application; `*` for all. */
  components?: string[]
  /** Labels of key-value stores. */
  stores?: string[]
  /** Paths of the files that it can read, as it sees them. */
  files?: string[]
  /** Names of its variables. */
  variables?: string[]
  /** Names of its environment variables. */
  environment?: string[]
}

const INTERNAL = /^[^:]*:\/\/([^./]+)\.spin\.internal(?![\w.-])/

/** In the order of the manifest. */
export function reachOf({
  allowedOutboundHosts,
  keyValueStores,
  files,
  variables,
  environment,
}: Omit<
  ComponentManifest,
  'id' | 'description' | 'source' | 'build' | 'tool' | 'excludeFiles'
>): Reach {
  // A value could be the address of a machine inside, and on Spin an expression would be replaced by it.
  const hosts = allowedOutboundHosts.map((host) => host.replace(/\{\{\s*(\w+)\s*\}\}/g, '${$1}'))
  const all = {
    hosts: hosts.filter((host) => !INTERNAL.test(host)),
    components: hosts.flatMap((host) => INTERNAL.exec(host)?.[1] ?? []),
    stores: keyValueStores,
    files: files.map((mount) => ('pattern' in mount ? mount.pattern : mount.destination)),
    variables: Object.keys(variables),
    environment: Object.keys(environment),
  }
  const lists = Object.entries(all).map(([name, list]) => [name, [...new Set(list)]] as const)
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
}

/** The gateway's variable `tool_reach`: JSON, by the id of each component that is not a gateway. */
export function reachText({ components }: Pick<Manifest, 'components'>): string {
  const others = [...components.values()].filter((component) => !isGateway(component))
  return JSON.stringify(Object.fromEntries(others.map((each) => [each.id, reachOf(each)])))
}
