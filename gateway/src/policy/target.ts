/** From an entry of the catalog to what the policy decides about. */
import type { Catalog, Entry } from '../catalog/catalog.ts'
import type { Target } from '../permissions.ts'

/**
 * The name of a tool or prompt that clients of `/mcp` use. At the address of one component entries have other names, and
 * by these a rule would be about another component's entry.
 */
export type CanonicalNames = (entry: Entry) => string | undefined

export const OWN_NAMES: CanonicalNames = ({ name }) => name

/** @param catalog of `/mcp`. */
export function namesIn({ tools, prompts }: Catalog): CanonicalNames {
  return (entry) => {
    const { component, description } = entry
    if (isResource(entry)) return entry.name
    const all: Entry[] = 'inputSchema' in description ? tools : prompts
    const same = all.find(
      (other) => other.component === component && other.description.name === description.name,
    )
    return same?.name
  }
}

function isResource({ description }: Entry): boolean {
  return 'uri' in description || 'uriTemplate' in description
}

/** @returns `undefined` if clients of `/mcp` have no name for it. */
export function targetOf(entry: Entry, names: CanonicalNames): Target | undefined {
  const { component, description } = entry
  if (isResource(entry)) return { kind: 'resource', component, name: entry.name }
  const name = names(entry)
  if (name === undefined) return undefined
  const isTool = 'inputSchema' in description
  return {
    kind: isTool ? 'tool' : 'prompt',
    component,
    name,
    ...(description.name !== name && { alias: description.name }),
    ...('annotations' in description && { annotations: description.annotations }),
  }
}

/** @returns `undefined` for a tool or prompt. */
export function uriTarget(entry: Entry, uri: string): Target | undefined {
  if (!isResource(entry)) return undefined
  const alias = withoutEscapes(uri)
  return {
    kind: 'resource',
    component: entry.component,
    name: uri,
    ...(alias !== uri && { alias }),
    ...('uriTemplate' in entry.description && { template: entry.name }),
  }
}

/**
 * The address as a component may read it: escapes decoded, once and again, and `.` and `..` resolved. A rule is not to be
 * avoided by another way to write an address.
 */
export function withoutEscapes(uri: string): string {
  let text = uri
  for (let time = 0; time < DECODINGS && text.includes('%'); time++) {
    text = text.replace(/(%[0-9a-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes)
      } catch {
        return escapes
      }
    })
  }
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*:)([^]*)$/i.exec(text) ?? []
  return scheme.toLowerCase() + resolved(path)
}

const DECODINGS = 3

function resolved(path: string): string {
  if (!/(^|\/)\.\.?(\/|$)/.test(path)) return path
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
