/** Links to resources in what a server says lead to that server. */
import { type Content, isObject } from 'ftl-contract'
import { type Addresses, linkOf } from './addresses.ts'

export function hasLinks(content: readonly Content[]): boolean {
  return content.some(({ type }) => type === 'resource_link' || type === 'resource')
}

/** @returns the same content if it has no link. */
export function linkedContent(content: Content, addresses: Addresses, server: string): Content {
  const fields: Record<string, unknown> = isObject(content) ? content : {}
  const { type, uri, resource } = fields
  if (type === 'resource_link' && typeof uri === 'string') {
    return { ...content, uri: linkOf(addresses, server, uri) } as Content
  }
  if (type === 'resource' && isObject(resource) && typeof resource['uri'] === 'string') {
    const own = { ...resource, uri: linkOf(addresses, server, resource['uri']) }
    return { ...content, resource: own } as Content
  }
  return content
}
