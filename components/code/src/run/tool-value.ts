/** What a program gets of a tool's result: the value for programs if there is one, else the text, else all of it. */
import { ProgramError } from '../program/program-error.ts'
import type { CallResult } from './run-gateway.ts'

/** @throws {ProgramError} when the tool reports a failure. */
export function toolValue(result: CallResult, tool: string): unknown {
  const { structuredContent, isError } = result
  const content: unknown = result.content
  const parts = Array.isArray(content) ? (content as CallResult['content'] & unknown[]) : []
  const texts = parts.flatMap((part) => (typeof part?.text === 'string' ? [part.text] : []))
  if (isError) {
    throw new ProgramError('ToolError', texts.join('\n') || `${tool} failed`, undefined, {
      tool,
      code: 'tool_error',
    })
  }
  if (structuredContent !== undefined) return structuredContent
  return texts.length === parts.length ? texts.join('\n') : { content: parts }
}
