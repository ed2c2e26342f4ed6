/** One call of a tool from the workbench, over MCP or plain HTTP. */
import type { Progress } from 'ftl-client/browser'
import { callTool, newKey } from '../../jobs/call.ts'
import { addJob } from '../../jobs/known-jobs.ts'
import { ApiError, asArray, asRecord, text } from '../../net/api.ts'
import type { Tool } from '../../net/tools.ts'
import { beginWatching } from '../../activity/watch-request.ts'
import { forgetConnection, mcp } from '../mcp/connection.ts'
import { running } from '../mcp/questions.ts'
import { isForeign, type Server } from '../servers/known-servers.ts'
import { refusalOf } from '../servers/refusals.ts'

export type Protocol = 'MCP' | 'HTTP'

export interface Run {
  /** Of this page. */
  id: string
  tool: string
  args: Record<string, unknown>
  protocol: Protocol
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds; `undefined` while it runs. */
  took?: number
  progress?: Progress
  result?: unknown
  jobId?: string
  /** Why there is no result. */
  failure?: string
}

export interface RunOptions {
  server: Server
  protocol: Protocol
  signal: AbortSignal
  onChange: (run: Run) => void
}

/** @throws {ApiError} for arguments that were refused, and what can be tried again. */
export async function runTool(
  tool: Tool,
  args: Record<string, unknown>,
  { server, protocol, signal, onChange }: RunOptions,
): Promise<void> {
  const started = performance.now()
  let run: Run = { id: newKey(), tool: tool.name, args, protocol, startedAt: Date.now() }
  const change = (part: Partial<Run>) => onChange((run = { ...run, ...part }))
  change({})
  if (!isForeign(server)) await beginWatching()
  try {
    if (protocol === 'HTTP') change(await callTool(tool.name, args, { key: run.id, signal }))
    else change({ result: await callOverMcp(server, tool, args, signal, change) })
    change({ took: performance.now() - started })
  } catch (error) {
    const known = explained(server, error, signal)
    change({ took: performance.now() - started, failure: known.message })
    throw known
  }
}

/** Milliseconds without progress. A call may take longer than a request of another kind. */
const PATIENCE_MS = 300_000

async function callOverMcp(
  server: Server,
  tool: Tool,
  args: Record<string, unknown>,
  signal: AbortSignal,
  change: (part: Partial<Run>) => void,
): Promise<unknown> {
  const client = await mcp(server)
  // Jobs and approvals are those of this gateway.
  const isOwn = !isForeign(server)
  if (isOwn) running.set(tool.name, args)
  try {
    return await client.callTool(tool.name, args, {
      signal,
      timeoutMs: PATIENCE_MS,
      onProgress: (progress) => change({ progress }),
      ...(isOwn && {
        onTask(jobId) {
          addJob({ id: jobId, tool: tool.name, arguments: args })
          change({ jobId })
        },
      }),
    })
  } finally {
    if (isOwn) running.delete(tool.name)
  }
}

const UNREACHABLE = 'The gateway cannot be reached. Check the connection and try again.'

function explained(server: Server, error: unknown, signal: AbortSignal): ApiError {
  if (error instanceof ApiError) return error
  if (signal.aborted) return new ApiError(0, 'stopped', 'Stopped.')
  const { kind, message } = asRecord(error)
  if (kind === 'rpc') {
    const problems = asArray(asRecord(asRecord(error)['data'])['errors']).map((entry) => ({
      path: text(asRecord(entry)['path']) ?? '',
      message: text(asRecord(entry)['message']) ?? 'is not right',
    }))
    return new ApiError(400, 'rpc', text(message) ?? 'The server refused the call.', problems)
  }
  if (isForeign(server)) {
    const refusal = refusalOf(server, error)
    return new ApiError(0, refusal.kind, `${refusal.message} ${refusal.help}`.trim())
  }
  if (kind === 'connection') {
    forgetConnection()
    const status = asRecord(error)['status']
    return typeof status === 'number'
      ? new ApiError(status, 'connection', text(message) ?? UNREACHABLE)
      : new ApiError(0, 'unreachable', UNREACHABLE)
  }
  return new ApiError(0, 'failed', text(message) ?? 'Something went wrong. Try again.')
}
