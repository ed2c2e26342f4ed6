/**
 * The origins that an MCP App declares in `_meta.ui.csp`. They become part of a content security policy, so everything
 * that is not plainly an origin is left out.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */

/** What each list of an app permits. */
type DomainKind = 'connect' | 'resource' | 'frame' | 'base'
export type Domains = Record<DomainKind, string[]>

/** Of each kind. */
const MOST_DOMAINS = 20
/** Characters of one. */
const LONGEST = 200

/** A scheme, a host that may begin with `*.`, a port; not `*`, `https:`, `data:` or a keyword such as `'self'`. */
const ORIGIN =
  /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*(?::\d{1,5})?$/i

/** @param lists as a stranger sent them. */
export function readDomains(lists: Partial<Record<DomainKind, readonly unknown[]>>): Domains {
  const read = (kind: DomainKind) => {
    const origins = (lists[kind] ?? []).filter(isOrigin)
    return [...new Set(origins.map((origin) => origin.toLowerCase()))].slice(0, MOST_DOMAINS)
  }
  return {
    connect: read('connect'),
    resource: read('resource'),
    frame: read('frame'),
    base: read('base'),
  }
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST && ORIGIN.test(value)
}
