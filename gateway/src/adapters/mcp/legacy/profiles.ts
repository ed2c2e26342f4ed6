/** How a call that came to nothing is worded for plain clients: as the API reference has it. */
import { type NoResult, reasonOf } from '../core/failures.ts'
import { error, INVALID_PARAMS, type RequestId, type RpcAnswer } from '../json-rpc.ts'

/** The reference's code: there is no such tool. */
const TOOL_NOT_FOUND = -32001
/** The reference's code: the tool ran and failed. */
const TOOL_ERROR = -32002
/** The reference's code, in `data.code` of -32602: the arguments do not fit the tool's schema. */
const INVALID_SCHEMA = -32003
/** The reference's code: the tool could not be reached or did not answer in time. */
const GATEWAY_ERROR = -32004

/** For a request without `MCP-Protocol-Version`, such as curl's: JSON-RPC errors. */
export function answerPlain(id: RequestId, tool: string, failure: NoResult): RpcAnswer {
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
  const data = { tool, reason: reasonOf(failure) }
  return error(id, { code: TOOL_ERROR, message: 'Tool error', data })
}
