/** One rule the gateway keeps, and where it is written. */

/** Revisions with a handshake, the newest first. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** Revisions whose every request stands alone. */
export const MODERN = ['2026-07-28'] as const
/** Every revision of MCP. */
export const ALL = [...MODERN, ...LEGACY] as const
/** Revisions that have the transport Streamable HTTP. */
export const STREAMABLE = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const
/** Not a revision of MCP: what the API reference of this gateway promises to plain clients. */
export const REFERENCE = ['0.1.0'] as const

export type Revision = (typeof ALL)[number] | (typeof REFERENCE)[number]

export interface Rule {
  /** `chapter.what-it-asks`, named in the titles of the tests that hold it: `[chapter.what-it-asks] …`. */
  id: string
  revisions: readonly Revision[]
  level: 'MUST' | 'SHOULD' | 'MAY'
  /** What the server does, in our own words. */
  rule: string
  /**
   * The paragraph it is written in. Where several revisions ask for it, that of the newest; where the page says it
   * before its first heading, the page.
   */
  source: string
  /** A scenario of the conformance suite that holds it, where no test of ours does. */
  conformance?: string
  /** Why it is not kept; LIMITS.md says the same to users. */
  unmet?: string
}

const SPECIFICATION = 'https://modelcontextprotocol.io/specification'

/** A page of the newest revision. */
export function page(path: string): string {
  return `${SPECIFICATION}/2026-07-28/${path}`
}

/** A page of an older revision, for what the newest no longer has. */
export function pageOf(revision: (typeof LEGACY)[number], path: string): string {
  return `${SPECIFICATION}/${revision}/${path}`
}
