/**
 * The server over HTTP: every request is handed on to the process, and its answer back.
 *
 * What a client can be asked for, and what a server says unasked, needs a session that lasts, which nothing here has: so
 * neither is offered.
 *
 * @module
 */
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server'
import { ClientError, RpcError } from 'ftl-client'
import type { ServerProcess } from './server-process.ts'

const INTERNAL_ERROR = -32603
const METHOD_NOT_FOUND = -32601
/** Milliseconds without an answer or a word of progress, after which a request is given up. */
const TIMEOUT_MS = 10 * 60_000
/** Bytes of a request; arguments may hold files. */
export const REQUEST_LIMIT = 64 * 1024 * 1024
/** What is handed on; the rest (`initialize`, `ping`, `server/discover`) is answered here. */
const METHODS = [
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'completion/complete'],
  ...['resources/list', 'resources/templates/list', 'resources/read'],
]

export type FetchHandler = (request: Request) => Promise<Response>

/** In both eras, whichever of them the process speaks. */
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
      ...(info?.instructions !== undefined && { instructions: info.instructions }),
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
          ...(progressToken !== undefined && {
            onProgress: ({ progress = 0, total, message }) =>
              void mcpReq.notify({
                method: 'notifications/progress',
                params: { progressToken, progress, total, message },
              }),
          }),
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

/** Without notifications of change, subscriptions and log lines: see above. */
function offered(capabilities: Readonly<Record<string, unknown>>) {
  const kinds = ['tools', 'prompts', 'resources', 'completions']
  return Object.fromEntries(
    kinds.filter((kind) => capabilities[kind] !== undefined).map((kind) => [kind, {}]),
  )
}

/** How the caller speaks with us is not how we speak with the process. */
function withoutEnvelope(meta: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta).filter(([key]) => !key.startsWith('io.modelcontextprotocol/')),
  )
}

function toProtocolError(error: unknown): unknown {
  if (error instanceof RpcError) return new ProtocolError(error.code, error.message, error.data)
  // Its last words are for whoever reads the terminal.
  if (error instanceof ClientError) {
    const [message = ''] = error.message.split('; its last words:')
    return new ProtocolError(INTERNAL_ERROR, message)
  }
  return error
}
