/** Calls `run_code`, and reads its result. */
import type { Manager, ToolResult } from 'ftl-client'
import { CommandFailure } from '../failure.ts'

export interface RunReport {
  result?: unknown
  cut?: { shown: number; of: number }
  error?: { name: string; message: string; line?: number; column?: number; tool?: string }
  console: { level: string; text: string }[]
  calls: number
}

export interface RunOptions {
  signal: AbortSignal
  timeoutMs: number
  onProgress?: (update: { message?: string }) => void
}

const RUN_CODE = 'run_code'

/** @throws {CommandFailure} when the server has no `run_code`. */
export async function runProgram(
  manager: Manager,
  server: string,
  code: string,
  options: RunOptions,
): Promise<{ report?: RunReport; result: ToolResult }> {
  const tools = await manager.allTools(options)
  if (!tools.some(({ tool }) => tool.name === RUN_CODE)) {
    throw new CommandFailure(
      `the server has no tool ${RUN_CODE}: add the component code to tool_components (docs/code-mode.md)`,
    )
  }
  const timeout_ms = options.timeoutMs
  const result = await manager.callTool(server, RUN_CODE, { code, timeout_ms }, options)
  return { report: reportOf(result.structuredContent), result }
}

function reportOf(value: unknown): RunReport | undefined {
  if (typeof value !== 'object' || value === null || !('calls' in value)) return undefined
  const { console = [], ...rest } = value as Partial<RunReport>
  return { calls: 0, ...rest, console }
}
