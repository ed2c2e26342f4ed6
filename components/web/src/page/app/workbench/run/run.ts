/** One call of a tool from the workbench, with what can be said of it. */
import { callTool, newKey } from '../../jobs/call.ts'
import type { Tool } from '../../net/tools.ts'

export interface Run {
  /** Of this page. */
  id: string
  tool: string
  args: Record<string, unknown>
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds; while it runs there is none. */
  took?: number
  result?: unknown
  jobId?: string
}

export interface RunOptions {
  key: string
  signal: AbortSignal
  onChange: (run: Run) => void
}

/** @throws {ApiError} for a call that was refused. */
export async function runTool(
  tool: Tool,
  args: Record<string, unknown>,
  { key, signal, onChange }: RunOptions,
): Promise<void> {
  const started = performance.now()
  const run: Run = { id: newKey(), tool: tool.name, args, startedAt: Date.now() }
  const made = await callTool(tool.name, args, { key, signal })
  onChange({ ...run, ...made, took: performance.now() - started })
}
