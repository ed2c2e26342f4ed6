/** What access checks need to know of MCP: the form of a refusal, and the headers of a client in a web page. */
import { addressOf, type CorsHeaders, failure, json } from 'ftl-http'

/** Not a code of JSON-RPC's range for implementation-defined server errors: the current revision reserves it. */
const INVALID_REQUEST = -32_600

/** The error response to a request that was not read: JSON-RPC at the endpoints of MCP, plain JSON elsewhere. */
export function refuse(
  request: Request,
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): Response {
  return /^\/mcp(\/|$)/.test(addressOf(request).pathname)
    ? // There is no id, because the request was not read.
      json(status, { jsonrpc: '2.0', error: { code: INVALID_REQUEST, message } }, headers)
    : failure(status, code, message, headers)
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http */
export const MCP_HEADERS: CorsHeaders = {
  names: 'MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, FTL-Approval',
  // Headers of a tool's arguments have names of the tool's choosing.
  pattern: /^mcp-param-[\w!#$%&'*+.^`|~-]+$/i,
}
