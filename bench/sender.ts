import { Agent, request } from 'node:http'

/** A request as a client sends it; without a body it is a GET. */
export interface Shot {
  path: string
  body?: string
  headers?: Record<string, string>
}

export interface Sender {
  /** Gives the body of the answer. @throws {Error} when the status is not 200. */
  send(shot: Shot): Promise<string>
  close(): void
}

/** Keeps its connections, so that nothing but the request itself is measured. */
export function createSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send({ path, body, headers = {} }) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      return new Promise((resolve, reject) => {
        const outgoing = request(
          `${url}${path}`,
          { agent, method: body === undefined ? 'GET' : 'POST', headers: { ...json, ...headers } },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              if (response.statusCode === 200) resolve(text)
              else reject(new Error(`${path}: ${response.statusCode} ${text}`))
            })
          },
        )
        outgoing.on('error', reject)
        outgoing.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}

interface Params {
  name?: string
  arguments?: Record<string, unknown>
}

/** What a client of each kind sends. */
export const CLIENTS = {
  plain: (method: string, params: Params) => shot(method, params),
  '2025-11-25': (method: string, params: Params) =>
    shot(method, params, { 'mcp-protocol-version': '2025-11-25' }),
  '2026-07-28': (method: string, params: Params) =>
    shot(
      method,
      {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params.name !== undefined && { 'mcp-name': params.name }),
      },
    ),
} as const

function shot(method: string, params: object, headers: Record<string, string> = {}): Shot {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const accept = 'application/json, text/event-stream'
  return { path: '/mcp', body, headers: Object.keys(headers).length ? { accept, ...headers } : {} }
}
