/**
 * Errors of calls without a result, for clients that send a revision.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 */
import type { ToolResult } from 'ftl-contract'
import { APPROVAL_KEY } from '../../../invoke/approval-key.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import { type NoResult, reasonOf } from '../../../invoke/reason-of.ts'
import type { ArgumentError } from '../../../invoke/argument-validator.ts'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  invalidParams,
  RpcFailure,
  standardError,
} from '../json-rpc.ts'

/** A result with `isError`, which the model reads and may act on. @throws {RpcFailure} for an unknown tool */
export function toolFailure(tool: string, failure: NoResult): ToolResult {
  if (failure.kind === 'unknown') {
    throw new RpcFailure({ code: INVALID_PARAMS, message: `Unknown tool: ${tool}`, data: { tool } })
  }
  const text =
    failure.kind === 'invalid-arguments'
      ? `Invalid arguments for the tool ${tool}:\n${failure.errors.map(asLine).join('\n')}`
      : reasonOf(failure)
  const result = errorText(text)
  // Not in the text: the model must not confirm its own call.
  return failure.kind === 'needs-approval'
    ? { ...result, _meta: { [APPROVAL_KEY]: failure.approval } }
    : result
}

export function errorText(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/**
 * A result as official clients take it: without the structured part that the outputSchema promises they throw, and the model
 * learns nothing of a call that has run, unless it is an error.
 */
export function asPromised({
  result,
  isUnstructured,
}: Extract<Settled, { kind: 'result' }>): ToolResult {
  return isUnstructured ? { ...result, isError: true } : result
}

/** The error for a prompt, resource or completion without a result. */
export function featureFailure(failure: NoResult, unknown: () => RpcFailure): RpcFailure {
  switch (failure.kind) {
    case 'unknown':
      return unknown()
    case 'invalid-arguments':
      // Without a path, they are the component's own words, and may be about anything.
      return invalidParams(
        failure.errors
          .map((error) => (error.path === '' ? error.message : asLine(error)))
          .join('; '),
        { errors: failure.errors },
      )
    default:
      return new RpcFailure(standardError(INTERNAL_ERROR, { reason: reasonOf(failure) }))
  }
}

function asLine({ path, message }: ArgumentError): string {
  return `${path === '' ? 'arguments' : path}: ${message}`
}
