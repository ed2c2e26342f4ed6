/** The result of a saved program: what it returned, as any tool returns it, without the number of its calls. */
import type { ToolResult } from 'ftl-contract'
import { isRecord } from './run-gateway.ts'

export function plainResult({ structuredContent, ...rest }: ToolResult): ToolResult {
  const { result, cut } = (structuredContent ?? {}) as { result?: unknown; cut?: unknown }
  // A cut one is only the beginning of a text.
  return cut === undefined && isRecord(result) ? { ...rest, structuredContent: result } : rest
}
