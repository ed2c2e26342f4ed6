/**
 * Which era a message belongs to: revisions with a handshake (legacy), or those whose every request carries its
 * version (modern). The body decides; a header alone is not enough to be modern.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @module
 */
import { isObject } from '../../values.ts'
import { INVALID_PARAMS, INVALID_REQUEST, MESSAGES, type RpcError } from './json-rpc.ts'
import { isModern, LEGACY_VERSIONS, MODERN_VERSIONS, OFFERED_VERSIONS } from './versions.ts'

/** Header and body of a modern request do not agree. */
export const HEADER_MISMATCH = -32020
/** The modern revision is not served. */
export const UNSUPPORTED_VERSION = -32022

const VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion'

export type Era =
  | { era: 'legacy' }
  | { era: 'modern'; version: string }
  /** To be answered with this HTTP status and error. */
  | { era: 'refused'; status: number; error: RpcError }

export interface EraInput {
  method: string
  params: Record<string, unknown>
  /** The header `MCP-Protocol-Version`, if sent. */
  header: string | undefined
}

export function decideEra({ method, params, header }: EraInput): Era {
  const claimed = isObject(params._meta) ? params._meta[VERSION_META_KEY] : undefined
  const modernHeader = header !== undefined && isModern(header)

  if (method === 'initialize' && claimed === undefined) {
    if (!modernHeader) return legacy(header)
    const reason = `initialize does not belong to revision ${header}`
    return refused({ code: HEADER_MISMATCH, message: 'Header mismatch', data: { reason } })
  }
  if (claimed !== undefined) {
    if (typeof claimed !== 'string') {
      const reason = `_meta["${VERSION_META_KEY}"] must be a string`
      return refused({ code: INVALID_PARAMS, message: 'Invalid params', data: { reason } })
    }
    return modern(claimed)
  }
  if (modernHeader) {
    if (!MODERN_VERSIONS.includes(header)) return modern(header)
    const reason = `_meta["${VERSION_META_KEY}"] is missing`
    return refused({ code: INVALID_PARAMS, message: 'Invalid params', data: { reason } })
  }
  return legacy(header)
}

function modern(version: string): Era {
  if (MODERN_VERSIONS.includes(version)) return { era: 'modern', version }
  return refused({
    code: UNSUPPORTED_VERSION,
    message: 'Unsupported protocol version',
    data: { supported: OFFERED_VERSIONS, requested: version },
  })
}

function legacy(header: string | undefined): Era {
  if (header === undefined || LEGACY_VERSIONS.includes(header)) return { era: 'legacy' }
  return refused({
    code: INVALID_REQUEST,
    message: MESSAGES[INVALID_REQUEST] ?? '',
    data: {
      reason: `the header MCP-Protocol-Version names an unknown version: ${header}`,
      supported: LEGACY_VERSIONS,
    },
  })
}

function refused(error: RpcError): Era {
  return { era: 'refused', status: 400, error }
}
