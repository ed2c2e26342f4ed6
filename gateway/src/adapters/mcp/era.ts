/**
 * Which era a message belongs to: revisions with a handshake (legacy), or those whose every request carries its
 * version (modern). The body decides; a header alone is not enough to be modern.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import { isString } from 'ftl-contract'
import { INVALID_REQUEST, invalidParams, RpcFailure, standardError } from './json-rpc.ts'
import { metaOf } from './exchange.ts'
import { headerMismatch } from './modern/errors.ts'
import { CAPABILITIES_KEY, envelopeProblem, VERSION_KEY } from './modern/envelope.ts'
import { isModern, LEGACY_VERSIONS } from '../../calls/mcp-versions.ts'

export interface EraInput {
  kind: 'request' | 'notification'
  method: string
  params: Record<string, unknown>
}

/**
 * @param header `MCP-Protocol-Version`, if sent.
 * @throws {RpcFailure} when the message can belong to neither.
 */
export function decideEra(input: EraInput, header: string | undefined): 'legacy' | 'modern' {
  const { kind, method } = input
  const meta = metaOf(input)
  const claimed = meta[VERSION_KEY]
  const modernHeader = header !== undefined && isModern(header)

  if (method === 'initialize' && !(isModernClaim(claimed) && !envelopeProblem(meta))) {
    if (modernHeader) throw headerMismatch(`initialize does not belong to revision ${header}`)
    return legacy(header)
  }
  if (claimed !== undefined) return 'modern'
  if (!modernHeader) return legacy(header)
  // A notification needs no envelope.
  if (kind === 'notification') return 'modern'
  const missing = [VERSION_KEY, CAPABILITIES_KEY].filter((key) => meta[key] === undefined)
  const { error } = invalidParams(
    `the header names revision ${header}; _meta lacks ${missing.join(', ')}`,
  )
  throw new RpcFailure(error, 400)
}

function isModernClaim(claimed: unknown): boolean {
  return isString(claimed) && isModern(claimed)
}

function legacy(header: string | undefined): 'legacy' {
  if (header === undefined || LEGACY_VERSIONS.includes(header)) return 'legacy'
  const reason = `the header MCP-Protocol-Version names an unknown version: ${header.slice(0, 64)}`
  throw new RpcFailure(standardError(INVALID_REQUEST, { reason, supported: LEGACY_VERSIONS }), 400)
}
