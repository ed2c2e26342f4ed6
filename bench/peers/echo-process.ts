// MCP servers with one echo tool each, made with the official SDK as its documentation shows. Started by echo-servers.ts.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import * as z from 'zod'

const sessions = new Map<string, StreamableHTTPServerTransport>()
const hanging = new Set<string>()

async function open(number: string): Promise<StreamableHTTPServerTransport> {
  const server = new McpServer({ name: `echo-${number}`, version: '1.0.0' })
  server.registerTool(
    `echo_${number}`,
    { description: 'Returns its message.', inputSchema: { message: z.string() } },
    ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  )
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await server.connect(transport)
  return transport
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, number = '', path] = (request.url ?? '').split('/')
  if (hanging.has(number)) return
  const id = request.headers['mcp-session-id']
  const known = typeof id === 'string' ? sessions.get(id) : undefined
  if (path !== 'mcp' || (id !== undefined && !known)) {
    response.writeHead(404).end()
    return
  }
  await (known ?? (await open(number))).handleRequest(request, response)
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.on('message', ({ hang }: { hang: string }) => hanging.add(hang))
process.on('disconnect', () => process.exit())
process.send?.({ port: (server.address() as AddressInfo).port })
