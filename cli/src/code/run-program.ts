/** Calls `run_code`, and reads its result. */
import type { Manager, ToolResult } from 'ftl-client'
import { CommandFailure } from '../terminal/failure.ts'

export interface RunReport {
  result?: unknown
  cut?: CutResult
  error?: { name: string; message: string; line?: number; column?: number; tool?: string }
  console: { level: string; text: string }[]
  calls: number
}

/** The result is longer than one answer: these are its first characters. */
export interface CutResult {
  shown: number
  of: number
  /** Reads the rest, until `expiresAt`. @default it was not kept */
  handle?: string
  next?: number
  expiresAt?: string
  form?: 'json' | 'text'
}

export interface RunOptions {
  /** Reads all pages of a long result. @default false */
  all?: boolean | undefined
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
      `the server has no tool ${RUN_CODE}: add the component code to tool_components (docs/many-tools.md)`,
    )
  }
  const timeout_ms = options.timeoutMs
  const result = await manager.callTool(server, RUN_CODE, { code, timeout_ms }, options)
  const report = reportOf(result.structuredContent)
  if (!options.all || report?.cut?.handle === undefined) return { report, result }
  return { report: await whole(manager, server, report, report.cut, options), result }
}

/** The report with the whole result. @throws {CommandFailure} if a page is missing. */
async function whole(
  manager: Manager,
  server: string,
  { cut: _, ...report }: RunReport,
  { handle, form, ...first }: CutResult,
  options: RunOptions,
): Promise<RunReport> {
  let text = String(report.result)
  for (let next = first.next; next !== undefined;) {
    const args = { result: handle, offset: next }
    const answer = await manager.callTool(server, RUN_CODE, args, options)
    const page = answer.structuredContent as { result?: unknown; cut?: CutResult } | undefined
    if (answer.isError === true || typeof page?.result !== 'string') {
      throw new CommandFailure(`the rest of the result, from character ${next}, cannot be read`)
    }
    text += page.result
    next = page.cut?.next
  }
  return { ...report, result: form === 'json' ? (JSON.parse(text) as unknown) : text }
}

function reportOf(value: unknown): RunReport | undefined {
  if (typeof value !== 'object' || value === null || !('calls' in value)) return undefined
  const { console = [], ...rest } = value as Partial<RunReport>
  return { calls: 0, ...rest, console }
}
