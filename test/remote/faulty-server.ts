import type { ServerResponse } from 'node:http'
import { serve, type WebServer } from './servers.ts'

/** How a server misbehaves when it gets a request with this id. */
export type Fault = (response: ServerResponse, id: unknown) => void

export const json = (response: ServerResponse, body: string, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(body)

export const result = (id: unknown, value: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value })

/** A server of 2025-06-18 without sessions that works except for one method. */
export function startFaulty(
  where: 'list' | 'call',
  fault: Fault,
  list: (params: Record<string, unknown>) => object = () => ({
    tools: [{ name: 'say', inputSchema: { type: 'object' } }],
  }),
): Promise<WebServer> {
  return serve((_, response, body) => {
    const {
      id,
      method,
      params = {},
    } = JSON.parse(body || '{}') as {
      id?: unknown
      method?: string
      params?: Record<string, unknown>
    }
    if (id === undefined) return void response.writeHead(202).end()
    if (method === `tools/${where}`) return fault(response, id)
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'faulty', version: '1' },
      },
      'tools/list': method === 'tools/list' ? list(params) : {},
    }
    const known = results[method ?? '']
    if (known) return json(response, result(id, known))
    const error = { code: -32601, message: 'Method not found' }
    return json(response, JSON.stringify({ jsonrpc: '2.0', id, error }))
  })
}
