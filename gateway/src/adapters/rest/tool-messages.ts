/**
 * Converts answers to the tool messages that continue a chat with a model.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create, "Tool message"
 */
import { isObject, isString, type JobRecord, type ToolResult } from 'ftl-contract'
import { jobHandle } from '../../jobs/job-handle.ts'
import type { Answer } from './answer.ts'

export interface ToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** @param origin of the gateway as the client addressed it. */
export function toolMessage(id: string, answer: Answer, origin: string): ToolMessage {
  return { role: 'tool', tool_call_id: id, content: contentOf(answer, origin) }
}

/** An error as JSON; a result as its texts, with a placeholder for content that is not text. */
function contentOf(answer: Answer, origin: string): string {
  if (answer.error) return JSON.stringify({ error: answer.error })
  const { content, structuredContent } =
    answer.status === 202
      ? jobHandle(answer.body as JobRecord, origin)
      : (answer.body as ToolResult)
  if (content.length === 0 && structuredContent !== undefined) {
    return JSON.stringify(structuredContent)
  }
  return content.map(textOf).join('\n')
}

/** Omits base64 data: a model cannot read it, but its tokens would be charged. */
function textOf(item: object): string {
  const { type, text, uri, resource, data, mimeType } = item as Record<string, unknown>
  if (isString(text)) return text
  if (isString(uri)) return uri
  if (isObject(resource)) return textOf({ type, ...resource })
  if (isString(data) && isString(mimeType)) return `[${String(type)} ${mimeType}]`
  return JSON.stringify(item)
}
