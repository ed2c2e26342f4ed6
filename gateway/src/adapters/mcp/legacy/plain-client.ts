/**
 * Answers of the API reference for plain clients, such as curl, which send no `MCP-Protocol-Version`: its error codes,
 * and `stream/start`, which sends the client to the WebSocket bridge for a job's end.
 */
import { acceptsEvents } from 'ftl-http'
import type { JobRecord } from 'ftl-contract'
import { streamAddress } from '../../../calls/stream-address.ts'
import { type NoResult, reasonOf } from '../../../invoke/reason-of.ts'
import type { Exchange } from '../exchange.ts'
import { error, INVALID_PARAMS, type RequestId, type RpcAnswer } from '../json-rpc.ts'

/** The reference's code: there is no such tool. */
const TOOL_NOT_FOUND = -32001
/** The reference's code: the tool ran and failed. */
const TOOL_ERROR = -32002
/** The reference's code, in `data.code` of -32602: the arguments do not fit the tool's schema. */
const INVALID_SCHEMA = -32003
/** The reference's code: the tool could not be reached or did not answer in time. */
const GATEWAY_ERROR = -32004

/** The JSON-RPC error for a call without a result. */
export function plainFailure(id: RequestId, tool: string, failure: NoResult): RpcAnswer {
  switch (failure.kind) {
    case 'unknown':
      return error(id, { code: TOOL_NOT_FOUND, message: 'Tool not found', data: { tool } })
    case 'invalid-arguments': {
      const data = { code: INVALID_SCHEMA, tool, errors: failure.errors }
      return error(id, { code: INVALID_PARAMS, message: 'Invalid params', data })
    }
    case 'unreachable': {
      const data = { tool, reason: failure.message }
      return error(id, { code: GATEWAY_ERROR, message: 'Gateway error', data })
    }
    case 'tool-failed':
      // A failed job brings its own code and message, the same that its stream shows.
      if (failure.code !== undefined) {
        return error(id, { code: failure.code, message: failure.message, data: { tool } })
      }
  }
  const approval = failure.kind === 'needs-approval' ? failure.approval : undefined
  const data = { tool, reason: reasonOf(failure), approval }
  return error(id, { code: TOOL_ERROR, message: 'Tool error', data })
}

/** Whether this client gets `stream/start` instead of the result of a job, if the bridge runs. */
function wantsStream({ scope, request, versionHeader }: Exchange): boolean {
  const mode = scope.settings.streamStart
  if (mode !== 'plain') return mode === 'always'
  return versionHeader === undefined && !acceptsEvents(request)
}

/**
 * @returns `undefined` if the client does not get `stream/start`, or has nothing to connect to.
 * @throws {ConfigurationError} when `bridge_url` is unusable.
 */
export function streamStart(
  exchange: Exchange,
  id: RequestId,
  job: JobRecord,
): RpcAnswer | undefined {
  if (!wantsStream(exchange)) return undefined
  const { scope, request } = exchange
  const url = streamAddress(scope, request, job.id)
  if (url === undefined) return undefined
  return {
    jsonrpc: '2.0',
    method: 'stream/start',
    params: { stream_id: job.id, ws_url: url },
    id,
  }
}
