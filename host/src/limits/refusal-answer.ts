/** The response to a request beyond a limit, in a form that its client can show. */
import type { Refusal } from './limiter.ts'

export interface RefusalAnswer {
  headers: Record<string, string | number>
  body: string
}

/** As the gateway answers a request that it has not read. */
const INVALID_REQUEST = -32_600

/** Clients of MCP show the body of a response that is not successful, and nothing else of it. */
const MCP = /^\/mcp(\/|$)/

const REASONS: Partial<Record<Refusal['by'], string>> = { audit: 'audit_unavailable' }

export function refusalAnswer(
  pathname: string,
  { by, message, retryAfter }: Refusal,
): RefusalAnswer {
  const reason = REASONS[by] ?? 'rate_limited'
  const error = MCP.test(pathname)
    ? {
        jsonrpc: '2.0',
        id: null,
        error: { code: INVALID_REQUEST, message, data: { reason, limit: by, retryAfter } },
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
