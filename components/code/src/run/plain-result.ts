/** The result of a saved program: the value that it returned, in the form of a tool result, without the report of a run. */
import { isObject, type ToolResult } from 'ftl-contract'

export function plainResult({ structuredContent, ...rest }: ToolResult): ToolResult {
  const { result, cut } = (structuredContent ?? {}) as { result?: unknown; cut?: unknown }
  // A cut one is only the beginning of a text.
  return cut === undefined && isObject(result) ? { ...rest, structuredContent: result } : rest
}
