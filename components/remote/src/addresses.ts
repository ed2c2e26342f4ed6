/**
 * The addresses of resources of several servers. A server's own address is kept where it leads to that server alone, because
 * instructions, links and other results have it. Any other one gets the server's name in front, which can be taken off again.
 */
import { matchesUriTemplate } from 'ftl-contract'

/** The server of a published address, and its own address there. */
export interface Place {
  server: string
  uri: string
}

export interface Addresses {
  /** By published address. */
  resources: Record<string, Place>
  /** In order: the first that matches an address has it. */
  templates: { published: string; server: string; template: string }[]
  /** Servers that have resources. */
  servers: string[]
  /** What an operator hides, by server: addresses and templates. */
  denied: Record<string, string[]>
}

const SCHEME = 'remote://'
const UI = 'ui://'

/** What every address that a server gives out is read by, listed or not. */
export const ANY_ADDRESS = `${SCHEME}{server}/{+uri}`

/** With the server's name. A host of MCP Apps opens only what begins with `ui://`. */
export function aliasOf(server: string, uri: string): string {
  return uri.startsWith(UI) ? `${UI}${server}/${uri.slice(UI.length)}` : `${SCHEME}${server}/${uri}`
}

/** Where a published address leads. @returns `undefined` for what is unknown or denied. */
export function placeOf(addresses: Addresses, uri: string): Place | undefined {
  const place = found(addresses, uri)
  if (!place) return undefined
  const denied = addresses.denied[place.server] ?? []
  const isDenied = denied.some((each) => each === place.uri || matches(each, place.uri))
  return isDenied ? undefined : place
}

function found(addresses: Addresses, uri: string): Place | undefined {
  const listed = listedPlace(addresses, uri)
  if (listed) return listed
  const [, server = '', own = ''] = /^remote:\/\/([^/]+)\/(.+)$/.exec(uri) ?? []
  if (!addresses.servers.includes(server)) return undefined
  // One address each: a policy about it must not be avoided by another one.
  return listedPlace(addresses, own)?.server === server ? undefined : { server, uri: own }
}

function listedPlace({ resources, templates }: Addresses, uri: string): Place | undefined {
  if (Object.hasOwn(resources, uri)) return resources[uri]
  for (const { published, server, template } of templates) {
    if (!matches(published, uri)) continue
    const isOwn = published === template
    const [before = ''] = isOwn ? [] : aliasOf(server, template).split(template)
    return { server, uri: isOwn ? uri : uri.slice(before.length) }
  }
  return undefined
}

/** Clients open these themselves, unless the server has them as resources. */
const PUBLIC = /^(?:https?|data|mailto):/i

/** The published form of an address that a server gave in a result. */
export function linkOf(addresses: Addresses, server: string, uri: string): string {
  for (const published of [uri, aliasOf(server, uri)]) {
    const place = listedPlace(addresses, published)
    if (place?.server === server && place.uri === uri) return published
  }
  if (PUBLIC.test(uri) || !addresses.servers.includes(server)) return uri
  return `${SCHEME}${server}/${uri}`
}

function matches(template: string, uri: string): boolean {
  return template.includes('{') && matchesUriTemplate(template, uri)
}
