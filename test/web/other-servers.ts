/** MCP servers of the official SDKs, version 1 and 2, that a page may request. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  McpServer as McpServer1,
  ResourceTemplate as Template1,
} from '@modelcontextprotocol/sdk/server/mcp.js'
import { completable } from '@modelcontextprotocol/sdk/server/completable.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server'
import * as z from 'zod'

export interface OtherServer {
  url: string
  /** What it was sent: method and headers of each request. */
  requests: { method: string; headers: IncomingMessage['headers']; body: string }[]
  close(): Promise<void>
}

export interface OtherOptions {
  /** Without it the request is refused with 401. */
  token?: string
  /** Headers for pages. @default all that MCP needs */
  cors?: Record<string, string>
}

export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
  'access-control-allow-headers':
    'content-type, accept, authorization, x-api-key, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  'access-control-expose-headers': 'mcp-session-id, www-authenticate',
}

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => Promise<void> | void

export async function listen(
  handle: Handle,
  { token, cors = CORS }: OtherOptions = {},
): Promise<OtherServer> {
  const requests: OtherServer['requests'] = []
  const server = createServer((request, response) => {
    void (async () => {
      for (const [name, value] of Object.entries(cors)) response.setHeader(name, value)
      if (request.method === 'OPTIONS') return void response.writeHead(204).end()
      let body = ''
      for await (const part of request) body += String(part)
      requests.push({ method: request.method ?? '', headers: request.headers, body })
      const given = request.headers.authorization ?? request.headers['x-api-key']
      if (token !== undefined && given !== `Bearer ${token}` && given !== token) {
        return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      }
      await handle(request, response, body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** 2025-11-25 with sessions. Its resource `counter://now` changes with each call of the tool `count`. */
export async function startVersion1(options?: OtherOptions): Promise<OtherServer> {
  return listen(sentByVersion1(), options)
}

/** The handler of such a server. */
export function sentByVersion1(): Handle {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id']
    let transport = typeof id === 'string' ? sessions.get(id) : undefined
    if (!transport) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, made),
      })
      transport = made
      await version1().connect(made)
    }
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body))
  }
}

function version1(): McpServer1 {
  const server = new McpServer1(
    { name: 'first', title: 'The first server', version: '1.2.3' },
    {
      instructions: 'Call count to count.',
      capabilities: { logging: {}, resources: { subscribe: true } },
    },
  )
  let count = 0
  const subscribed = new Set<string>()
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri)
    return {}
  })
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  server.registerTool(
    'count',
    { title: 'Count', inputSchema: { by: z.number() } },
    async ({ by }) => {
      count += by
      await server.sendLoggingMessage({ level: 'warning', logger: 'counter', data: `Now ${count}` })
      if (subscribed.has('counter://now')) {
        await server.server.sendResourceUpdated({ uri: 'counter://now' })
      }
      return { content: [{ type: 'text', text: `It is ${count}` }] }
    },
  )
  server.registerPrompt(
    'greet',
    {
      title: 'Greet',
      argsSchema: {
        name: completable(z.string(), (typed) =>
          ['Ada', 'Alan'].filter((one) => one.startsWith(typed)),
        ),
      },
    },
    ({ name }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
    }),
  )
  server.registerResource('now', 'counter://now', { title: 'The count' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: `count=${count}` }],
  }))
  const template = new Template1('counter://past/{day}', {
    list: undefined,
    complete: { day: (typed) => ['monday', 'tuesday'].filter((day) => day.startsWith(typed)) },
  })
  server.registerResource('past', template, { title: 'A day' }, ({ href }, { day }) => ({
    contents: [{ uri: href, text: `On ${String(day)}` }],
  }))
  return server
}

/** 2026-07-28 only. */
export async function startVersion2(options?: OtherOptions): Promise<OtherServer> {
  const handler = createMcpHandler(() => {
    const server = new McpServer2(
      { name: 'second', version: '2.0.0' },
      { instructions: 'Add numbers.', capabilities: { logging: {} } },
    )
    server.registerTool(
      'add',
      { title: 'Add', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => ({ content: [{ type: 'text', text: `The sum is ${a + b}` }] }),
    )
    server.registerResource('doc', 'doc://one', { title: 'One' }, ({ href }) => ({
      contents: [{ uri: href, text: 'One document' }],
    }))
    return server
  })
  return listen(async (request, response, body) => {
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(body !== '' && { body }),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) for await (const part of answer.body) response.write(part)
    response.end()
  }, options)
}
