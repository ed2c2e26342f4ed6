/**
 * Serves the process over HTTP: forwards each request to it, and returns its response.
 *
 * Requests from the server to the client and unsolicited notifications need a session. There are no sessions here, so
 * neither is offered.
 */
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server'
import { ClientError, RpcError } from 'ftl-client'
import type { ServerProcess } from './server-process.ts'

const INTERNAL_ERROR = -32603
const METHOD_NOT_FOUND = -32601
/** Milliseconds without a response or progress after which a request fails. */
const TIMEOUT_MS = 10 * 60_000
/** Bytes of a request; arguments may hold files. */
export const REQUEST_LIMIT = 64 * 1024 * 1024
/** Methods forwarded to the process; `initialize`, `ping` and `server/discover` are answered here. */
const METHODS = [
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'completion/complete'],
  ...['resources/list', 'resources/templates/list', 'resources/read'],
]

export type FetchHandler = (request: Request) => Promise<Response>

/** Accepts clients of both protocol eras, whichever of them the process uses. */
export function mcpHandler(process: ServerProcess, name: string): FetchHandler {
  const handler = createMcpHandler(() => createServer(process, name), {
    maxRequestBodySize: REQUEST_LIMIT,
  })
  return (request) => handler.fetch(request)
}

function createServer(process: ServerProcess, name: string): Server {
  const { server: info, capabilities = {} } = process.introduction ?? {}
  const server = new Server(
    { name: info?.name ?? name, version: info?.version ?? '0.0.0' },
    {
      capabilities: offered(capabilities),
      instructions: info?.instructions,
    },
  )
  server.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) => {
    if (!METHODS.includes(method)) throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found')
    const { _meta, ...rest } = params
    const { progressToken, ...meta } = _meta ?? {}
    const client = await running(process)
    try {
      return await client.request(
        method,
        { ...rest, _meta: withoutEnvelope(meta) },
        {
          signal: mcpReq.signal,
          timeoutMs: TIMEOUT_MS,
          onProgress:
            progressToken === undefined
              ? undefined
              : ({ progress = 0, total, message }) =>
                  void mcpReq
                    .notify({
                      method: 'notifications/progress',
                      params: { progressToken, progress, total, message },
                    })
                    // The client has gone.
                    .catch(() => undefined),
        },
      )
    } catch (error) {
      throw toProtocolError(error)
    }
  }
  return server
}

async function running(process: ServerProcess) {
  try {
    return await process.client()
  } catch (error) {
    throw toProtocolError(error)
  }
}

/** Leaves out change notifications, subscriptions and logging, because they need a session. */
function offered(capabilities: Readonly<Record<string, unknown>>) {
  const kinds = ['tools', 'prompts', 'resources', 'completions']
  return Object.fromEntries(
    kinds.filter((kind) => capabilities[kind] !== undefined).map((kind) => [kind, {}]),
  )
}

/** Removes the protocol metadata of the caller's connection: our connection to the process has its own. */
function withoutEnvelope(meta: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta).filter(([key]) => !key.startsWith('io.modelcontextprotocol/')),
  )
}

function toProtocolError(error: unknown): unknown {
  if (error instanceof RpcError) return new ProtocolError(error.code, error.message, error.data)
  // The quoted stderr of the process is for the terminal, not for clients.
  if (error instanceof ClientError) {
    const [message = ''] = error.message.split('; the end of its stderr:')
    return new ProtocolError(INTERNAL_ERROR, message)
  }
  return error
}
