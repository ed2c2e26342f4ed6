/**
 * How a call that came to nothing is worded: as the API reference has it for plain clients, as the MCP revision
 * has it for clients that name one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 * @module
 */
import type { Settled } from '../../../invoke/outcome.ts'
import type { ArgumentError } from '../../../invoke/validate.ts'
import { error, INVALID_PARAMS, type RequestId, result, type RpcAnswer } from '../json-rpc.ts'

/** The reference's code: there is no such tool. */
export const TOOL_NOT_FOUND = -32001
/** The reference's code: the tool ran and failed. */
export const TOOL_ERROR = -32002
/** The reference's code, in `data.code` of -32602: the arguments do not fit the tool's schema. */
export const INVALID_SCHEMA = -32003
/** The reference's code: the tool could not be reached or did not answer in time. */
export const GATEWAY_ERROR = -32004

/** An outcome without a result. */
export type Failure = Exclude<Settled, { kind: 'result' }>

/** For a request without `MCP-Protocol-Version`, such as curl's: JSON-RPC errors. */
export function answerPlain(id: RequestId, tool: string, failure: Failure): RpcAnswer {
  switch (failure.kind) {
    case 'unknown-tool':
      return error(id, { code: TOOL_NOT_FOUND, message: 'Tool not found', data: { tool } })
    case 'invalid-arguments': {
      const data = { code: INVALID_SCHEMA, tool, errors: failure.errors }
      return error(id, { code: INVALID_PARAMS, message: 'Invalid params', data })
    }
    case 'unreachable': {
      const data = { tool, reason: failure.message }
      return error(id, { code: GATEWAY_ERROR, message: 'Gateway error', data })
    }
    case 'unusable-schema':
      return toolError(id, tool, failure.message)
    case 'tool-failed':
      // A failed job brings its own code and message, the same that its stream shows.
      if (failure.code === undefined) return toolError(id, tool, failure.message)
      return error(id, { code: failure.code, message: failure.message, data: { tool } })
  }
}

function toolError(id: RequestId, tool: string, reason: string): RpcAnswer {
  return error(id, { code: TOOL_ERROR, message: 'Tool error', data: { tool, reason } })
}

/** For a client of a known revision: a result with `isError`, which the model reads and may act on. */
export function answerRevision(id: RequestId, tool: string, failure: Failure): RpcAnswer {
  switch (failure.kind) {
    case 'unknown-tool':
      return error(id, { code: INVALID_PARAMS, message: `Unknown tool: ${tool}`, data: { tool } })
    case 'invalid-arguments': {
      const lines = failure.errors.map(asLine).join('\n')
      return errorResult(id, `Invalid arguments for the tool ${tool}:\n${lines}`)
    }
    default:
      return errorResult(id, failure.message)
  }
}

function asLine({ path, message }: ArgumentError): string {
  return `${path === '' ? 'arguments' : path}: ${message}`
}

function errorResult(id: RequestId, text: string): RpcAnswer {
  return result(id, { content: [{ type: 'text', text }], isError: true })
}
