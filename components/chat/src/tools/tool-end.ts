/**
 * How a call has ended.
 *
 * @module
 */
import { isArrayOf, isObject, isString } from 'ftl-gateway/http'

/** An item of a result; a tool may have sent anything. */
export type Item = Record<string, unknown>

export interface ToolEnd {
  isError: boolean
  content: Item[]
  structuredContent?: unknown
  jobId?: string
}

/** A tool's result, or `undefined` for what is none. */
export function readResult(value: unknown): ToolEnd | undefined {
  if (!isObject(value) || !isArrayOf(value.content, isObject)) return undefined
  const { content, structuredContent, isError } = value
  return { isError: isError === true, content, structuredContent }
}

/** What the model is told when there is no result: it may try again, or say so. */
export function failedCall(code: string, message: string, jobId?: string): ToolEnd {
  const text = JSON.stringify({ error: { code, message } })
  return { isError: true, content: [{ type: 'text', text }], ...(jobId !== undefined && { jobId }) }
}

/** The fields of an error, as the gateway words them. */
export function failedBy(error: unknown, jobId?: string): ToolEnd {
  const { code, message } = isObject(error) ? error : {}
  return failedCall(
    isString(code) || typeof code === 'number' ? String(code) : 'tool_failed',
    isString(message) ? message : 'The tool failed.',
    jobId,
  )
}
