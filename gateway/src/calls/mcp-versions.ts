/** The revisions of MCP this gateway knows. */

/** The version of the API reference. */
export const REFERENCE_VERSION = '0.1.0'

/** Served with a handshake, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  REFERENCE_VERSION,
]

/** The answer to a client that asks for a version that is not served. */
export const NEWEST_LEGACY_VERSION = '2025-11-25'

/**
 * The newest revision without the header `MCP-Protocol-Version`, and that of a client that does not send it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
 */
export const HEADERLESS_VERSION = '2025-03-26'

/** The only revision whose clients may send several messages in one array. */
export const BATCH_VERSION = '2025-03-26'

/** Served without a handshake: every request carries its version. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** Whether `version` is a revision without a handshake, served here or not. Revisions are dates. */
export function isModern(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= '2026-07-28'
}
