/**
 * The revisions with a handshake: 0.1.0, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25.
 *
 * @module
 */
import type { Gateway } from '../../../gateway.ts'
import {
  error,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  result,
  type RpcAnswer,
  type RpcRequest,
  standardError,
} from '../json-rpc.ts'
import type { EraHandler, Exchange } from '../mcp-adapter.ts'
import { LEGACY_VERSIONS, NEWEST_LEGACY_VERSION } from '../versions.ts'
import { callTool } from './call-tool.ts'
import { listTools } from './list-tools.ts'

/** The gateway as it introduces itself. */
export const SERVER_INFO = { name: 'ftl-mcp-gateway', version: '0.1.0' } as const

/** Answers one method. */
export type LegacyMethod = (
  gateway: Gateway,
  exchange: Exchange,
  request: RpcRequest,
) => Promise<RpcAnswer> | RpcAnswer

// A Map, because a method's name comes from the client and an object has names of its own.
const METHODS: ReadonlyMap<string, LegacyMethod> = new Map<string, LegacyMethod>([
  ['tools/call', callTool],
  ['tools/list', listTools],
  ['initialize', initialize],
  ['ping', (_gateway, _exchange, { id }) => result(id, {})],
])

export function createLegacyEra(gateway: Gateway): EraHandler {
  return {
    async answer(exchange, request) {
      const method = METHODS.get(request.method)
      if (!method) {
        return error(request.id, standardError(METHOD_NOT_FOUND, { method: request.method }))
      }
      return method(gateway, exchange, request)
    },
  }
}

function initialize(_gateway: Gateway, _exchange: Exchange, { id, params }: RpcRequest): RpcAnswer {
  const { protocolVersion } = params
  if (typeof protocolVersion !== 'string') {
    const reason = 'params.protocolVersion must be a string'
    return error(id, standardError(INVALID_PARAMS, { reason }))
  }
  return result(id, {
    protocolVersion: LEGACY_VERSIONS.includes(protocolVersion)
      ? protocolVersion
      : NEWEST_LEGACY_VERSION,
    capabilities: { tools: {} },
    serverInfo: SERVER_INFO,
  })
}
