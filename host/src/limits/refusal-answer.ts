/** The response to a request beyond a limit, in a form that its client can show. */
import type { Refusal } from './limiter.ts'

export interface RefusalAnswer {
  headers: Record<string, string | number>
  body: string
}

/** As the gateway answers a request that it has not read. */
const INVALID_REQUEST = -32_600

/** @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/3304 (draft) */
const RATE_LIMITED = -32_023

/** Clients of MCP show the body of a response that is not successful, and nothing else of it. */
const MCP = /^\/mcp(\/|$)/

const REASONS: Partial<Record<Refusal['by'], string>> = { audit: 'audit_unavailable' }

export function refusalAnswer(
  pathname: string,
  { by, message, retryAfter }: Refusal,
): RefusalAnswer {
  const other = REASONS[by]
  const reason = other ?? 'rate_limited'
  const retryAfterMs = retryAfter * 1000
  const error = MCP.test(pathname)
    ? {
        jsonrpc: '2.0',
        id: null,
        error:
          other === undefined
            ? { code: RATE_LIMITED, message, data: { retryAfterMs, reason, by } }
            : { code: INVALID_REQUEST, message, data: { reason, retryAfterMs, by } },
      }
    : { error: { code: reason, message, limit: by, retryAfter } }
  const body = JSON.stringify(error)
  return {
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'retry-after': retryAfter,
    },
    body,
  }
}
