/** A server of 2025-11-25 that answers each method with what a test gives, and remembers what it was sent. */
import { json, result } from './faulty-server.ts'
import { serve, type WebServer } from './servers.ts'

type Params = Record<string, unknown>

export interface Sent {
  method: string
  params: Params
  session: string | undefined
}

export interface SmallServer extends WebServer {
  /** Requests and notifications, in the order in which they came. */
  sent: Sent[]
  /** Errors with which its own requests were answered. */
  refused: { id?: unknown; error?: unknown }[]
}

interface Options {
  capabilities: object
  /** By method. A function gets the parameters. */
  results: Readonly<Record<string, object | ((params: Params) => object)>>
  /** Messages within the answer to a call of a tool, before its result. */
  before?: readonly { id?: number; method: string; params?: object }[]
  /** The status of a request that is refused. */
  refuses?: (sent: Sent) => number | undefined
}

const UNKNOWN = { code: -32601, message: 'Method not found' }

export async function startSmall({
  capabilities,
  results,
  before = [],
  refuses = () => undefined,
}: Options): Promise<SmallServer> {
  const sent: Sent[] = []
  const refused: SmallServer['refused'] = []
  const serverInfo = { name: 'small', version: '1' }
  const known: Options['results'] = {
    initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo },
    ...results,
  }
  const server = await serve((request, response, body) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const {
      id,
      method = '',
      params = {},
      error,
    } = JSON.parse(body) as { id?: number; method?: string; params?: Params; error?: unknown }
    if (error !== undefined) {
      refused.push({ id, error })
      return void response.writeHead(202).end()
    }
    const session = request.headers['mcp-session-id'] as string | undefined
    sent.push({ method, params, session })
    const status = refuses({ method, params, session })
    if (status !== undefined) return json(response, '{}', status)
    if (id === undefined) return void response.writeHead(202).end()
    const given = Object.hasOwn(known, method) ? known[method] : undefined
    const value =
      typeof given === 'function' ? (given as (params: Params) => object)(params) : given
    const answer = value
      ? result(id, value)
      : JSON.stringify({ jsonrpc: '2.0', id, error: UNKNOWN })
    if (method !== 'tools/call' || before.length === 0) return json(response, answer)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const each of before) {
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...each })}\n\n`)
    }
    response.end(`data: ${answer}\n\n`)
  })
  return { ...server, sent, refused }
}
