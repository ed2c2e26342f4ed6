/**
 * MCP over Streamable HTTP: one endpoint, `POST /mcp`, without sessions and without streams of its own.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 * @module
 */
import { describeError } from '../../describe-error.ts'
import { BodyTooLarge, readText } from '../../body.ts'
import type { Gateway, TransportAdapter } from '../../gateway.ts'
import { json, methodNotAllowed } from '../../http.ts'
import type { Scope } from '../../scope.ts'
import { ConfigurationError } from '../../settings.ts'
import { serveBatch } from './batch.ts'
import { decideEra } from './era.ts'
import { createLegacyEra } from './legacy/legacy-era.ts'
import {
  error,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  readMessage,
  refuse,
  type RpcAnswer,
  type RpcRequest,
  standardError,
} from './json-rpc.ts'

/** Bytes of a request; the limit of the official SDK. */
export const REQUEST_LIMIT = 4 * 1024 * 1024

/** What a handler may know of the HTTP request that carried a message. */
export interface Exchange {
  scope: Scope
  request: Request
  /** The header `MCP-Protocol-Version`, if sent. */
  versionHeader: string | undefined
}

/** Serves the requests of one era. */
export interface EraHandler {
  answer(exchange: Exchange, request: RpcRequest): Promise<RpcAnswer>
}

export const mcpAdapter: TransportAdapter = {
  name: 'mcp',
  register(app, gateway) {
    const endpoint = createEndpoint(gateway)
    app.post('/mcp', (c) => endpoint(c.req.raw, c.env.scope))
    app.all('/mcp', () => methodNotAllowed('POST'))
  },
}

function createEndpoint(gateway: Gateway) {
  const legacy = answeringAll(createLegacyEra(gateway))

  return async function mcp(request: Request, scope: Scope): Promise<Response> {
    const versionHeader = request.headers.get('mcp-protocol-version')?.trim() || undefined
    let body: unknown
    try {
      body = JSON.parse(await readText(request, { limit: REQUEST_LIMIT }))
    } catch (cause) {
      if (!(cause instanceof BodyTooLarge)) return refuse(400, null, standardError(PARSE_ERROR))
      const reason = `the body has ${cause.message}`
      return refuse(413, null, standardError(INVALID_REQUEST, { reason }))
    }
    const exchange: Exchange = { scope, request, versionHeader }
    if (Array.isArray(body)) return serveBatch(exchange, body, legacy)

    const message = readMessage(body)
    if (message.kind === 'response') return accepted()
    if (message.kind === 'invalid') {
      return refuse(400, message.id, standardError(message.code, { reason: message.reason }))
    }
    const era = decideEra({ ...message, header: versionHeader })
    if (era.era === 'refused') {
      return refuse(era.status, message.kind === 'request' ? message.id : null, era.error)
    }
    // Nothing a client notifies of changes anything here: no sessions, and a call cannot be found again.
    if (message.kind === 'notification') return accepted()
    return json(200, await legacy.answer(exchange, message))
  }
}

function accepted(): Response {
  return new Response(null, { status: 202 })
}

/** Every request gets an answer with its id, also when the gateway itself fails. */
function answeringAll(handler: EraHandler): EraHandler {
  return {
    async answer(exchange, request) {
      try {
        return await handler.answer(exchange, request)
      } catch (cause) {
        if (cause instanceof ConfigurationError) {
          return error(request.id, standardError(INTERNAL_ERROR, { reason: cause.message }))
        }
        // The log keeps what the client must not see.
        console.error(`${request.method} failed:`, describeError(cause))
        return error(request.id, standardError(INTERNAL_ERROR))
      }
    },
  }
}
