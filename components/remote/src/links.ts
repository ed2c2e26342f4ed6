/** Links to resources in what a server says lead to that server. */
import { type Content, isObject } from 'ftl-contract'
import { type Addresses, linkOf, listedLinkOf } from './addresses.ts'

export function hasLinks(content: readonly Content[]): boolean {
  return content.some(({ type }) => type === 'resource_link' || type === 'resource')
}

/** Comparisons with templates and skills, by the characters that are compared: about half a second of a thread. */
const MOST_WORK = 10_000_000
/** Characters that a comparison takes besides those of the address. */
const EACH = 100

/** The published form of an address of a server. */
export type Link = (uri: string) => string

/**
 * For the addresses in one answer of a server. Each is looked up once. After as many as the work allows, an address that is not listed
 * gets the name of the server in front without a look at the templates: a server could otherwise have the thread of all
 * callers compare for minutes.
 */
export function linksOf(addresses: Addresses, server: string): Link {
  const known = new Map<string, string>()
  const perCharacter = addresses.templates.length + addresses.skills.length
  let left = MOST_WORK
  return (uri) => {
    const before = known.get(uri)
    if (before !== undefined) return before
    left -= perCharacter * (EACH + uri.length)
    const link = left >= 0 ? linkOf(addresses, server, uri) : listedLinkOf(addresses, server, uri)
    known.set(uri, link)
    return link
  }
}

/** @returns the same content if it has no link. */
export function linkedContent(content: Content, link: Link): Content {
  const fields: Record<string, unknown> = isObject(content) ? content : {}
  const { type, uri, resource } = fields
  if (type === 'resource_link' && typeof uri === 'string') {
    return { ...content, uri: link(uri) } as Content
  }
  if (type === 'resource' && isObject(resource) && typeof resource['uri'] === 'string') {
    const own = { ...resource, uri: link(resource['uri']) }
    return { ...content, resource: own } as Content
  }
  return content
}
