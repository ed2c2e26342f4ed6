/** Where the gateway and the official SDK answer differently, and why that is right. */

export interface Difference {
  /** Ids of the cases. Every case it matches must differ just so, or the entry is out of date. */
  cases: RegExp
  /** As `compare` words it. */
  ours: string
  official: string
  why: string
  /** Where it is written, if it is. */
  see?: string
}

const SPECIFICATION = 'https://modelcontextprotocol.io/specification/'

export function modernSpec(page: string): string {
  return `${SPECIFICATION}2026-07-28/${page}`
}

export function legacySpec(page: string, revision = '2025-11-25'): string {
  return `${SPECIFICATION}${revision}/${page}`
}
