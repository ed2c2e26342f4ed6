/** An MCP server of 2025-11-25 without sessions, whose only tool says which token it was called with. */

/** @param used the token of the request. It is told in upper case, because as it is it would be redacted. */
export function answerWhoami(body: string, used: string): Response {
  const { id, method } = JSON.parse(body) as { id?: number; method: string }
  if (id === undefined) return new Response(null, { status: 202 })
  const result = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: used.toUpperCase() }] },
  }[method]
  const error = { code: -32601, message: 'no such method' }
  return Response.json({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })
}
