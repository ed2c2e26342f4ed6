/** One call of a tool whose server is known, as most calls are: the builder runs it (`Rehearsal` in the SDK). */
import type { ContextPlatform, Rehearsal } from 'ftl-sdk'

const SERVERS = { rehearsal: { url: 'http://127.0.0.1:1/mcp', headers: { authorization: '-' } } }
const CONTENT = [{ type: 'text', text: '' }]

/** The first call connects with the server, and the second finds the connection. */
export const rehearsal: Rehearsal = { tool: 'rehearsal', platform: standIn() }

/** A host without clock and chance, and one server, which is of revision 2025-11-25 and has one tool. */
function standIn(): ContextPlatform {
  const entries = new Map<string, Uint8Array>()
  const encoder = new TextEncoder()
  const store = {
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: string | Uint8Array) =>
      void entries.set(key, typeof value === 'string' ? encoder.encode(value) : value),
  }
  // Only what a call uses: anything else would fail the build.
  const used = {
    openKeyValue: async () => store,
    variables: {
      get: (name: string) => (name === 'remote_servers' ? JSON.stringify(SERVERS) : undefined),
    },
    now: () => 1,
    fetch: async (_: string, { body }: RequestInit) => answerTo(JSON.parse(body as string) as Sent),
    waitUntil: () => undefined,
  }
  return used as unknown as ContextPlatform
}

interface Sent {
  /** Absent in a notification. */
  id?: number
  method: string
}

function answerTo({ id, method }: Sent): Response {
  if (id === undefined) return new Response(null, { status: 202 })
  const result = {
    initialize: { protocolVersion: '2025-11-25', capabilities: {} },
    'tools/list': { tools: [{ name: 'rehearsal', inputSchema: { type: 'object' } }] },
    'tools/call': { content: CONTENT },
  }[method]
  const headers = { 'content-type': 'application/json', 'mcp-session-id': '-' }
  const body = result ? { result } : { error: { code: -32601, message: '' } }
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...body }), { headers })
}
