/**
 * Polls a job until it has ended. Its record outlives every connection, so failed requests are repeated without limit.
 */
import type { ChatArtifact, ChatStatus } from './chat-lines.ts'

/** The fields of a job's record that are used here. */
interface Job {
  status: string
  message?: string
  progress?: { value: number; total?: number }
  pollIntervalMs: number
  result?: { content: { type: string; uri?: string; name?: string; mimeType?: string }[] }
  error?: { message: string }
}

/** Used for a job that the gateway no longer has. */
const GONE: Job = { status: 'The job has expired.', pollIntervalMs: 0 }
/** Longest wait between two tries, in milliseconds. */
const LONGEST_MS = 10_000

/**
 * @param get fetches a path of the gateway.
 * @param call the last known status of the job.
 * @param signal ends the polling; the job continues.
 * @param reconnectMs milliseconds before a failed request is repeated; doubled each time.
 */
export async function followJob(
  get: (path: string) => Promise<Response>,
  call: ChatStatus,
  onStatus: (status: ChatStatus) => void,
  onArtifact: (artifact: ChatArtifact) => void,
  signal?: AbortSignal,
  reconnectMs = 250,
): Promise<void> {
  const { jobId, tool = '' } = call
  for (let failures = 0; !signal?.aborted;) {
    let wait = Math.min(reconnectMs * 2 ** failures++, LONGEST_MS)
    try {
      const response = await get(`/jobs/${jobId}`)
      // Any other status may pass: a limit of requests, a login that has expired, a server that restarts.
      if (response.ok || [404, 410].includes(response.status)) {
        const job = response.ok ? ((await response.json()) as Job) : GONE
        failures = 0
        wait = job.pollIntervalMs
        for (const [place, item] of (job.result?.content ?? []).entries()) {
          const { type, uri, name: title = tool, mimeType = '' } = item
          const kind = /^(image|audio)\//.exec(mimeType)?.[1] ?? 'link'
          if (type !== 'resource_link' || !uri) continue
          onArtifact({
            id: `${jobId}-${place}`,
            type: kind as ChatArtifact['type'],
            title,
            mimeType,
            url: uri,
            tool,
            jobId,
          })
        }
        const done = !/^(working|input_required)$/.test(job.status)
        const { value: progress, total } = job.progress ?? {}
        const message = job.error?.message ?? job.message ?? job.status
        onStatus({ ...call, message, progress, total, done })
        if (done) return
      }
    } catch {
      // Try again.
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}
