/** What each right of a component lets it do, in words for the person who decides. */
import { isIP } from 'node:net'
import type { Manifest, Reach } from 'ftl-host'

const NETWORK = new Set(['localhost', '0.0.0.0', '::1', '::'])

/**
 * A sentence for each right, to be read after "it".
 *
 * @param manifest the application that would have it. @default the sentences are about any application
 */
export function effectLines(reach: Reach, manifest?: Pick<Manifest, 'components'>): string[] {
  const { hosts = [], components = [], stores = [], files = [], environment = [] } = reach
  const lines = [
    ...hosts.map((host) => hostEffect(host, manifest)),
    ...components.map((id) => componentEffect(id, manifest)),
    ...stores.map((label) => storeEffect(label, manifest)),
    ...files.map((path) => `may read the files in ${path}`),
    ...environment.map((name) => `will receive the environment variable ${name}`),
  ]
  return [...new Set(lines)]
}

/** The same, with the names of variables: what they get is decided where the package is added. */
export function reachLines(reach: Reach): string[] {
  const lines = [
    ...effectLines(reach),
    ...(reach.variables ?? []).map(
      (name) => `will receive a value for its variable ${name}, which you choose`,
    ),
  ]
  return lines.length > 0 ? lines : ['reaches nothing: no network, no stores, no variables']
}

function hostEffect(entry: string, manifest: Pick<Manifest, 'components'> | undefined): string {
  const [, scheme = '', authority = ''] = /^([^:]*):\/\/(.*)$/.exec(entry.toLowerCase()) ?? []
  const host = authority.replace(/:(\*|\d+([-.]+\d+)?)$/, '').replace(/^\[|\]$/g, '')
  const internal = /^([^.]+)\.spin\.internal$/.exec(host)?.[1]
  if (internal !== undefined) return componentEffect(internal, manifest)
  if (host === 'self' || host === 'self.alt')
    return `may send requests to this application itself, as a client can (${entry})`
  if (host === '*' || host === '') {
    const kind = scheme === '*' || scheme === '' ? 'of every kind ' : ''
    return `may send requests ${kind}to every server of the internet, and on Spin to every address (${entry})`
  }
  if (host.startsWith('*.'))
    return `may send requests to every host under ${host.slice(2)} (${entry})`
  if (NETWORK.has(host) || host.startsWith('127.'))
    return `may send requests to programs on this machine (${entry})`
  if (isIP(host) > 0 || /^[\d.:a-f]+\/\d+$/.test(host))
    return `may send requests to the address ${entry}`
  return `may send requests to ${entry}`
}

function componentEffect(id: string, manifest: Pick<Manifest, 'components'> | undefined): string {
  const named = (ids: readonly string[]) => (ids.length > 0 ? `: ${ids.join(', ')}` : '')
  const all = [...(manifest?.components.values() ?? [])]
  if (id === '*')
    return `may call every other component of the application${named(all.map((each) => each.id))}`
  const other = all.find((each) => each.id === id)
  if (other && Object.hasOwn(other.variables, 'tool_components'))
    return `may call the gateway ${id}, and through it every tool`
  const absent = manifest && !other ? ', which the application does not have now' : ''
  return `may call the component ${id} of the application${absent}`
}

function storeEffect(label: string, manifest: Pick<Manifest, 'components'> | undefined): string {
  const others = [...(manifest?.components.values() ?? [])]
    .filter(({ keyValueStores }) => keyValueStores.includes(label))
    .map(({ id }) => id)
  const shared = others.length > 0 ? ` (on Spin, one store with ${others.join(', ')})` : ''
  return `may keep data in the store ${label}${shared}`
}
