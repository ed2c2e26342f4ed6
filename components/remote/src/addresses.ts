/**
 * The addresses of resources of several servers. A server's own address is kept where it leads to that server alone, because
 * instructions, links and other results have it. Any other one gets the server's name in front, which can be taken off again.
 */
import { matchesUriTemplate } from 'ftl-contract'
import { isOfSkills, skillFileAt, skillFileOf, type SkillPlace } from './skill-addresses.ts'

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
  skills: SkillPlace[]
}

const SCHEME = 'remote://'
const UI = 'ui://'

/** What every address that a server gives out is read by, listed or not. */
export const ANY_ADDRESS = `${SCHEME}{server}/{+uri}`

/** With the server's name. A host of MCP Apps opens only what begins with `ui://`. */
export function aliasOf(server: string, uri: string): string {
  return uri.startsWith(UI) ? `${UI}${server}/${uri.slice(UI.length)}` : `${SCHEME}${server}/${uri}`
}

/** What clients take as an address. Some servers list paths without a scheme, or names of files with spaces. */
const USABLE = /^[A-Za-z][A-Za-z0-9+.-]*:(?:(?!\s)[!-~\u00a1-\uffff])*$/
const UNUSABLE = /[^!-~\u00a1-\uffff]|\s/g

/** The addresses that a resource of a server may have, its own first if clients take it. */
export function addressesOf(server: string, uri: string): string[] {
  const alias = aliasOf(server, uri).replace(UNUSABLE, encodeURIComponent)
  return USABLE.test(uri) ? [uri, alias] : [alias]
}

/** Of an {@link aliasOf}. */
function ownOf(server: string, alias: string): string {
  const scheme = alias.startsWith(UI) ? UI : ''
  return scheme + alias.slice(`${scheme || SCHEME}${server}/`.length)
}

/** The server that an address names. */
function namedIn(uri: string): string | undefined {
  return /^(?:remote|ui):\/\/([^/]+)/.exec(uri)?.[1]
}

/**
 * Whether a server's own address can be published as it is. One with the name of another server in front would look like
 * what that one has.
 */
export function mayKeep(own: string, server: string, servers: readonly string[]): boolean {
  // A template for every scheme would take what other components have.
  if (/^[^:]*\{/.test(own)) return false
  const named = namedIn(own)
  if (named === undefined) return true
  if (own.startsWith(SCHEME) || named.includes('{')) return false
  return named === server || !servers.includes(named)
}

/** Where a published address leads. @returns `undefined` for what is unknown or denied. */
export function placeOf(addresses: Addresses, uri: string): Place | undefined {
  const place = found(addresses, uri)
  if (!place) return undefined
  // A name of a server, such as `constructor`, is no more than a name.
  const denied = Object.hasOwn(addresses.denied, place.server)
    ? (addresses.denied[place.server] ?? [])
    : []
  return denied.some((each) => isDenied(each, place.uri)) ? undefined : place
}

/** However it is written: servers decode what they are asked for, and many look at the path only. */
function isDenied(denied: string, uri: string): boolean {
  const plain = plainForm(uri)
  if ([uri, plain].some((each) => denied === each || matches(denied, each))) return true
  const [path = ''] = plain.split('?')
  return [plain, path].some((each) => isSame(each, denied))
}

/** @param plain in the plain form. */
function isSame(plain: string, uri: string): boolean {
  return plain.toLowerCase() === plainForm(uri).toLowerCase()
}

/** Decoded, and without dots that lead elsewhere. */
function plainForm(uri: string): string {
  try {
    const decoded = decodeURIComponent(normal(uri))
    return decodeURIComponent(normal(decoded))
  } catch {
    return uri
  }
}

function normal(uri: string): string {
  const [whole = ''] = uri.split('#')
  return URL.canParse(whole) ? new URL(whole).href : whole
}

function found(addresses: Addresses, uri: string): Place | undefined {
  const { skills } = addresses
  if (isOfSkills(skills, uri)) return skillFileAt(skills, uri)
  const place = foundBesideSkills(addresses, uri)
  // One address each, as below.
  return place && isInSkill(addresses, place) ? undefined : place
}

function isInSkill({ skills }: Addresses, { server, uri }: Place): boolean {
  // Some servers read what follows `skill://` as a path, with a first folder that dots can leave.
  const forms = [uri, uri.replace('://', ':///')].map((each) =>
    plainForm(each).replace(':///', '://').toLowerCase(),
  )
  return skills.some((each) => {
    if (each.server !== server) return false
    const folder = `${plainForm(each.own).toLowerCase()}/`
    return forms.some((form) => form.startsWith(folder))
  })
}

function foundBesideSkills(addresses: Addresses, uri: string): Place | undefined {
  const listed = listedPlace(addresses, uri)
  if (listed) return listed
  const [, server = '', own = ''] = /^remote:\/\/([^/]+)\/(.+)$/.exec(uri) ?? []
  if (!addresses.servers.includes(server)) return undefined
  // One address each: a policy about it must not be avoided by another one.
  return isListed(addresses, { server, uri: own }) ? undefined : { server, uri: own }
}

/** Whether there is a published address for it, in whichever form it is written. */
function isListed(addresses: Addresses, { server, uri }: Place): boolean {
  const plain = plainForm(uri)
  if ([uri, plain].some((each) => publishedAs(addresses, { server, uri: each }))) return true
  const own = Object.values(addresses.resources).filter((each) => each.server === server)
  return own.some((each) => isSame(plain, each.uri))
}

function publishedAs(addresses: Addresses, { server, uri }: Place): string | undefined {
  return addressesOf(server, uri).find((published) => {
    const place = listedPlace(addresses, published)
    return place?.server === server && place.uri === uri
  })
}

/** The server whose skills would have an address. */
function skillServerIn(uri: string, servers: readonly string[]): string | undefined {
  return servers.find((server) => isOfSkills([{ server }], uri))
}

function listedPlace({ resources, templates, servers }: Addresses, uri: string): Place | undefined {
  if (Object.hasOwn(resources, uri)) return resources[uri]
  const named = uri.startsWith(SCHEME) ? namedIn(uri) : skillServerIn(uri, servers)
  for (const { published, server, template } of templates) {
    // A template may match every address, also those that have the name of another server.
    if ((named !== undefined && named !== server) || !matches(published, uri)) continue
    return { server, uri: published === template ? uri : ownOf(server, uri) }
  }
  return undefined
}

/** Clients open these themselves, unless the server has them as resources. */
const PUBLIC = /^(?:https?|data|mailto):/i

/** The published form of an address that a server gave in a result. */
export function linkOf(addresses: Addresses, server: string, uri: string): string {
  const published =
    skillFileOf(addresses.skills, server, uri) ?? publishedAs(addresses, { server, uri })
  return published ?? unlistedLink(addresses, server, uri)
}

/** The same, but without a look at the templates and the skills. */
export function listedLinkOf(addresses: Addresses, server: string, uri: string): string {
  const published = addressesOf(server, uri).find((each) => {
    const place = Object.hasOwn(addresses.resources, each) ? addresses.resources[each] : undefined
    return place?.server === server && place.uri === uri
  })
  return published ?? unlistedLink(addresses, server, uri)
}

function unlistedLink(addresses: Addresses, server: string, uri: string): string {
  if (PUBLIC.test(uri) || !addresses.servers.includes(server)) return uri
  return `${SCHEME}${server}/${uri}`
}

function matches(template: string, uri: string): boolean {
  return template.includes('{') && matchesUriTemplate(template, uri)
}
