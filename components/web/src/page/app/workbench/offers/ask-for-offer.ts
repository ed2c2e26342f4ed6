/** A request for a prompt or a resource, as a run that the result pane can show. */
import { newKey } from '../../jobs/call.ts'
import { ApiError, asRecord, text } from '../../net/api.ts'
import { mcp } from '../mcp/connection.ts'
import type { Run } from '../run/run-tool.ts'
import { isForeign, type Server } from '../servers/known-servers.ts'
import { refusalOf } from '../servers/refusals.ts'

export interface Asked {
  server: Server
  method: 'prompts/get' | 'resources/read'
  params: Record<string, unknown>
  signal: AbortSignal
  onChange: (run: Run) => void
}

/** @throws {ApiError} */
export async function ask({ server, method, params, signal, onChange }: Asked): Promise<void> {
  const started = performance.now()
  const { name, uri } = params
  let run: Run = {
    id: newKey(),
    tool: text(name) ?? text(uri) ?? '',
    args: params,
    protocol: 'MCP',
    startedAt: Date.now(),
  }
  const change = (part: Partial<Run>) => onChange((run = { ...run, ...part }))
  change({})
  try {
    const client = await mcp(server)
    const result = await client.request(method, params, { signal })
    change({ result, took: performance.now() - started })
  } catch (error) {
    const failure = signal.aborted ? 'Stopped.' : wordsFor(server, error)
    change({ failure, took: performance.now() - started })
    throw new ApiError(0, 'failed', failure)
  }
}

function wordsFor(server: Server, error: unknown): string {
  const message = text(asRecord(error)['message'])
  if (!isForeign(server)) return message || 'The gateway cannot be reached. Try again.'
  const refusal = refusalOf(server, error)
  return `${refusal.message} ${refusal.help}`.trim()
}
