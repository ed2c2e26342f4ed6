/**
 * What a client may expect of a call that goes wrong, in each era.
 *
 * Plain clients get the codes of the API reference; all others what their revision says: an unknown tool is an
 * error, everything else a result with `isError`, which the model reads.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 */
import { expect } from 'vitest'
import type { Era } from './eras.ts'

/** A part of the answer; what it does not name may be anything. */
export interface Answered {
  /** HTTP status. @default 200 */
  status?: number
  answer: object
}

export type Expected = Record<Era, Answered>

/** Codes of the API reference. */
const TOOL_NOT_FOUND = -32001
const TOOL_ERROR = -32002
const GATEWAY_ERROR = -32004
/** JSON-RPC's own. */
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling */
const RESOURCE_NOT_FOUND = -32002
/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes */
const MISSING_CAPABILITY = -32021

/** Said by whatever the component answered that the contract does not know. */
export const NO_RESULT = 'The tool returned something that is not a tool result.'

/** The tool ran and failed. @param reason of several, any will do. */
export function failed(tool: string, reason: string | RegExp): Expected {
  return toolFault(tool, TOOL_ERROR, reason)
}

/** The tool could not be reached or did not answer in time. */
export function unreachable(tool: string, reason: string | RegExp): Expected {
  return toolFault(tool, GATEWAY_ERROR, reason)
}

/** The component does not know the tool that it publishes. */
export function unknownTool(tool: string): Expected {
  const message = `Unknown tool: ${tool}`
  const answer = { error: { code: INVALID_PARAMS, message, data: { tool } } }
  return {
    plain: {
      answer: { error: { code: TOOL_NOT_FOUND, message: 'Tool not found', data: { tool } } },
    },
    legacy: { answer },
    modern: { answer },
  }
}

/** It needs something that this client did not say it can give. */
export function needsInput(tool: string, capability: string): Expected {
  const words = 'The tool asks the client for input, which needs MCP revision 2026-07-28.'
  return { ...failed(tool, words), modern: lacking(capability) }
}

/** All is well after all. */
export function says(text: string): Expected {
  const result = { content: [{ type: 'text', text }] }
  return {
    plain: { answer: { result } },
    legacy: { answer: { result } },
    modern: { answer: { result: { resultType: 'complete', ...result } } },
  }
}

/** A prompt, resource or completion that came to nothing. MCP clients often show the message alone, so it has the reason. */
export function offerFailed(reason: string | RegExp): Expected {
  const data = { reason: typeof reason === 'string' ? reason : matching(reason) }
  const message =
    typeof reason === 'string'
      ? `Internal error: ${reason}`
      : matching(new RegExp(reason.source.replace('^', '^Internal error: ')))
  const error = { code: INTERNAL_ERROR, message, data }
  return {
    ...everywhere({ error }),
    plain: { answer: { error: { ...error, message: 'Internal error' } } },
  }
}

function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern)
}

export function offerNeedsInput(capability: string): Expected {
  const words = 'The tool asks the client for input, which needs MCP revision 2026-07-28.'
  return { ...offerFailed(words), modern: lacking(capability) }
}

export function unknownPrompt(): Expected {
  return everywhere({ error: { code: INVALID_PARAMS } })
}

export function unknownResource(uri: string): Expected {
  const error = { code: RESOURCE_NOT_FOUND, data: { uri } }
  return {
    plain: { answer: { error } },
    legacy: { answer: { error } },
    modern: { answer: { error: { code: INVALID_PARAMS, data: { uri } } } },
  }
}

export function everywhere(answer: object): Expected {
  return { plain: { answer }, legacy: { answer }, modern: { answer } }
}

function toolFault(tool: string, code: number, reason: string | RegExp): Expected {
  const text = typeof reason === 'string' ? reason : matching(reason)
  const result = { content: [{ type: 'text', text }], isError: true }
  return {
    plain: { answer: { error: { code, data: { tool, reason: text } } } },
    legacy: { answer: { result } },
    modern: { answer: { result: { resultType: 'complete', ...result } } },
  }
}

function lacking(capability: string): Answered {
  const requiredCapabilities = { [capability]: {} }
  return {
    status: 400,
    answer: { error: { code: MISSING_CAPABILITY, data: { requiredCapabilities } } },
  }
}
