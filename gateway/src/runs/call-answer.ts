/** From the outcome of a call to what the run gets. */
import type { ToolResult } from 'ftl-contract'
import type { ArgumentError } from '../invoke/argument-validator.ts'
import { reasonOf } from '../invoke/reason-of.ts'
import type { Settled } from '../invoke/outcome.ts'
import { RunError } from './run-error.ts'

/** By the kind of a failure that has status 502. */
const CODES = {
  'tool-failed': 'tool_failed',
  'input-required': 'tool_asks',
  'missing-capability': 'tool_asks',
  'not-pinned': 'not_pinned',
  refused: 'tool_unusable',
  'unusable-schema': 'tool_unusable',
}

/** @throws {RunError} for a call without a result. */
export function resultOf(settled: Settled, tool: string): ToolResult {
  switch (settled.kind) {
    case 'result':
      return settled.result
    case 'unknown':
      throw noTool(tool)
    case 'invalid-arguments': {
      const lines = settled.errors.map(asLine).join('; ')
      throw new RunError(
        400,
        'invalid_arguments',
        `The arguments of ${tool} are not valid: ${lines}`,
      )
    }
    case 'over-limit':
      throw settled.isFull
        ? new RunError(507, 'store_full', settled.message)
        : new RunError(429, 'limit_reached', settled.message)
    case 'needs-approval':
    case 'not-approved':
      throw new RunError(403, 'not_approved', settled.message)
    case 'unreachable':
      throw settled.late
        ? new RunError(504, 'timeout', settled.message)
        : new RunError(502, 'component_unavailable', settled.message)
    case 'input-required':
    case 'missing-capability': {
      const message = `The tool ${tool} asks the client for input, which a program cannot send.`
      throw new RunError(502, CODES[settled.kind], message)
    }
    default:
      throw new RunError(502, CODES[settled.kind], reasonOf(settled))
  }
}

export function noTool(tool: string): RunError {
  return new RunError(404, 'tool_not_found', `There is no tool ${tool}.`)
}

function asLine({ path, message }: ArgumentError): string {
  return `${path === '' ? 'arguments' : path} ${message}`
}
