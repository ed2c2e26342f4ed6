/** One requirement of an MCP server's authorization, the sentence that asks for it, and the attack that checks it. */
import type { Lab } from './lab.ts'

export interface Finding {
  state: 'pass' | 'fail' | 'not testable'
  /** What the server did, or why the row cannot be tested. */
  seen: string
}

export interface Row<L = Lab> {
  /** `chapter.what-it-asks`. */
  id: string
  level: 'MUST' | 'SHOULD'
  /** As the specification words it. */
  sentence: string
  source: string
  check(lab: L): Finding | Promise<Finding>
}

const SPECIFICATION = 'https://modelcontextprotocol.io/specification/2026-07-28/basic'
export const MCP = `${SPECIFICATION}/authorization`
export const DISCOVERY = `${MCP}/authorization-server-discovery`
export const CONSIDERATIONS = `${MCP}/security-considerations`
export const TRANSPORT = `${SPECIFICATION}/transports/streamable-http`
/** Of the revision that has sessions. */
export const PRACTICES =
  'https://modelcontextprotocol.io/docs/2025-11-25/tutorials/security/security_best_practices'

export const rfc = (number: number, section: string) =>
  `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`

export const pass = (seen: string): Finding => ({ state: 'pass', seen })
export const fail = (seen: string): Finding => ({ state: 'fail', seen })
export const untestable = (reason: string): Finding => ({ state: 'not testable', seen: reason })
export const verdict = (isRight: boolean, seen: string): Finding =>
  isRight ? pass(seen) : fail(seen)

/** The worst of several findings, with what was seen of each. */
export function all(findings: readonly Finding[]): Finding {
  const seen = findings.map((finding) => finding.seen).join('; ')
  return verdict(
    findings.every(({ state }) => state === 'pass'),
    seen,
  )
}
