/** `tools/call` of the revisions with a handshake. */
import { originOf } from '../../../calls/client-request.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import { isObject } from '../../../values.ts'
import { toolFailure } from '../core/failures.ts'
import { type McpCall, readToolCall, serveToolCall, type ToolCallForm } from '../core/tool-call.ts'
import type { Exchange, Reply } from '../exchange.ts'
import { result, type RpcRequest } from '../json-rpc.ts'
import { plainFailure, streamStart, wantsStream } from './plain-client.ts'

/** Log level for every client of these revisions, because `logging/setLevel` is not stored. */
const LOG_LEVEL = 'info'

export function serveLegacyToolCall(exchange: Exchange, request: RpcRequest): Promise<Reply> {
  const call = { exchange, request }
  const logLevel = exchange.versionHeader === undefined ? undefined : LOG_LEVEL
  return serveToolCall(call, readToolCall(call, logLevel), LEGACY)
}

const LEGACY: ToolCallForm<McpCall> = {
  startedJob({ exchange, request }, job) {
    return wantsStream(exchange) ? streamStart(exchange, request.id, job) : undefined
  },

  answer({ exchange: { request, versionHeader }, request: { id, params } }, settled) {
    if (settled.kind === 'result') {
      const value = withAbsoluteOutputs(settled.result, originOf(request))
      // Before 2026-07-28 `structuredContent` must be an object; the text has the same content.
      if (!isObject(value.structuredContent)) delete value.structuredContent
      return result(id, value)
    }
    const name = params.name as string
    if (versionHeader === undefined) return plainFailure(id, name, settled)
    return result(id, toolFailure(name, settled))
  },
}
