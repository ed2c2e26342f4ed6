/** Follows a job to its end. Its record outlives this chat, so a client that disconnects can still read it. */
import type { ChatStatus } from 'ftl-client/chat'
import { isObject, isString, pause } from 'ftl-contract'
import { discard } from 'ftl-http'
import { bodyLines } from '../model/network.ts'
import { type CallContext, jsonOf, statusOf } from './call-tool.ts'
import { failedBy, failedCall, readResult, type ToolEnd } from './tool-end.ts'

/** The gateway sends a heartbeat for a job every 15 seconds. */
const SILENCE_MS = 60_000
/** How many times the events are requested without any news of the job; the stream may break off between them. */
const ATTEMPTS = 5

export async function followJob(
  context: CallContext,
  about: Pick<ChatStatus, 'tool' | 'callId'>,
  jobId: string,
): Promise<ToolEnd> {
  const { signal, onStatus } = context
  // The page needs the id to cancel the job before its first status.
  await onStatus({ step: 'tool', message: `${about.tool} has started`, ...about, jobId })
  let said = ''
  for (let attempts = 0; attempts < ATTEMPTS;) {
    if (attempts > 0) await pause(200 * 2 ** attempts)
    signal.throwIfAborted()
    const before = said
    try {
      const end = await follow()
      if (end) return { ...end, jobId }
    } catch (error) {
      if (signal.aborted) throw error
    }
    // A proxy may end every stream after a minute: only attempts without news count.
    attempts = said === before ? attempts + 1 : 1
  }
  return failedCall('job_unknown', `It is not known how job ${jobId} goes on.`, jobId)

  /** @returns `undefined` if the events break off. */
  async function follow(): Promise<ToolEnd | undefined> {
    const response = await context.gateway.get(`/jobs/${jobId}/events`)
    if (!response.ok) {
      discard(response)
      if (response.status >= 500) return undefined
      return failedCall('job_not_found', 'The job has expired.')
    }
    const lines = bodyLines(response, { signal, silenceMs: SILENCE_MS })
    for await (const text of lines) {
      const line = jsonOf(text)
      if (!isObject(line)) continue
      const { type, status } = line
      if (type === 'result') {
        return readResult(line.result) ?? failedCall('tool_failed', 'The job has no result.')
      }
      if (type === 'error') return failedBy(line)
      if (type !== 'status') continue
      if (status === 'input_required') {
        return failedCall(
          'input_required',
          'The tool asks for something only an MCP client can give.',
        )
      }
      // The gateway repeats the last status when the events are requested again.
      const words = `${isString(line.message) ? line.message : ''} ${String(line.progress)}`
      if (words !== said) await onStatus(statusOf(line, { ...about, jobId }))
      said = words
    }
    return undefined
  }
}
