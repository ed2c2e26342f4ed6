/** Outcome of a tool call. */
import type { ChatApproval } from 'ftl-client/chat'
import { isArrayOf, isObject, isString } from 'ftl-contract'

/** An item of a result, not validated: a tool can send any fields. */
export type Item = Record<string, unknown>

export interface ToolEnd {
  isError: boolean
  content: Item[]
  structuredContent?: unknown
  jobId?: string
  /** The call did not run: a person must approve it. The model never receives it. */
  approval?: Approval
}

export type Approval = Pick<ChatApproval, 'component' | 'token' | 'expiresAt'>

/** @returns `undefined` if `value` is not a tool result. */
export function readResult(value: unknown): ToolEnd | undefined {
  if (!isObject(value) || !isArrayOf(value.content, isObject)) return undefined
  const { content, structuredContent, isError } = value
  return { isError: isError === true, content, structuredContent }
}

/** Sent to the model instead of a result: the model can call again, or report the error to the user. */
export function failedCall(code: string, message: string, jobId?: string): ToolEnd {
  const text = JSON.stringify({ error: { code, message } })
  return { isError: true, content: [{ type: 'text', text }], ...(jobId !== undefined && { jobId }) }
}

/** Keeps code and message of the gateway's error. */
export function failedBy(error: unknown, jobId?: string): ToolEnd {
  const { code, message } = isObject(error) ? error : {}
  return failedCall(
    isString(code) || typeof code === 'number' ? String(code) : 'tool_failed',
    isString(message) ? message : 'The tool failed.',
    jobId,
  )
}

/** The gateway's refusal of a call; it may say that a person has to approve the call. */
export function refusedBy(error: unknown): ToolEnd {
  const end = failedBy(error)
  if (!isObject(error) || error.code !== 'approval_required' || !isObject(error.approval))
    return end
  const { component, token, expiresAt } = error.approval
  if (!isString(component) || !isString(token) || !isString(expiresAt)) return end
  return { ...end, approval: { component, token, expiresAt } }
}
