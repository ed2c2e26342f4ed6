/** The client that all peers get: plain HTTP on one connection, with the handshake of revision 2025-11-25. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { answerOf, type RpcAnswer } from './answer.ts'

export interface Endpoint {
  url: string
  headers?: Record<string, string>
}

export interface Connection {
  /** Names of the tools, of all pages of the list. */
  list(): Promise<string[]>
  /** @throws {Error} unless the tool returns the message. */
  echo(tool: string, message: string): Promise<void>
  close(): void
}

/** @param limitMs of one request. */
export async function connect(endpoint: Endpoint, limitMs = 20_000): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers: Record<string, string> = {
    ...endpoint.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  let id = 0
  const send = (message: object) =>
    post(agent, endpoint.url, headers, JSON.stringify({ jsonrpc: '2.0', ...message }), limitMs)
  async function ask(method: string, params: object) {
    id += 1
    const { body, headers: got } = await send({ id, method, params })
    const { error, result = {} } = answerOf(body, got['content-type'] ?? '', id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return { result, session: got['mcp-session-id'] }
  }
  try {
    const { session } = await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'peers', version: '1.0.0' },
    })
    headers['mcp-protocol-version'] = '2025-11-25'
    if (typeof session === 'string') headers['mcp-session-id'] = session
    await send({ method: 'notifications/initialized' })
  } catch (error) {
    agent.destroy()
    throw error
  }
  return {
    async list() {
      const names: string[] = []
      let cursor: string | undefined
      do {
        const { result } = await ask('tools/list', cursor === undefined ? {} : { cursor })
        names.push(...(result.tools ?? []).map(({ name }) => name))
        cursor = result.nextCursor
      } while (cursor !== undefined)
      return names
    },
    async echo(name, message) {
      const { result } = await ask('tools/call', { name, arguments: { message } })
      checkEcho(result, message)
    },
    close: () => agent.destroy(),
  }
}

function checkEcho(result: NonNullable<RpcAnswer['result']>, message: string): void {
  const text = result.content?.[0]?.text
  if (result.isError || text !== message) {
    throw new Error(`the tool returned ${JSON.stringify(text ?? null)} instead of its message`)
  }
}

function post(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  body: string,
  limitMs: number,
): Promise<{ body: string; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(limitMs)
    const outgoing = request(url, { agent, method: 'POST', headers, signal }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const status = response.statusCode ?? 0
        if (status === 200 || status === 202) resolve({ body: text, headers: response.headers })
        else reject(new Error(`status ${status}: ${text.slice(0, 200)}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.setHeader('content-length', Buffer.byteLength(body))
    outgoing.end(body)
  })
}
