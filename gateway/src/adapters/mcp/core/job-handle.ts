/** What a client gets that waited to the limit: where to ask for the rest. */
import type { JobRecord, ToolResult } from 'ftl-contract'

const STATES: Partial<Record<JobRecord['status'], string>> = {
  working: 'The tool is still working.',
  input_required: 'The tool waits for an answer that only a client that follows tasks can give.',
}

/** @param origin of the gateway as the client called it. */
export function jobHandle(job: JobRecord, origin: string): ToolResult {
  const url = `${origin}/jobs/${job.id}`
  const text =
    `${job.message ?? STATES[job.status] ?? `The job is ${job.status}.`} ` +
    `This is job ${job.id}: call get_job with this job_id for its result, or GET ${url}`
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      job_id: job.id,
      status: job.status,
      status_url: url,
      poll_interval_ms: job.pollIntervalMs,
      expires_at: job.expiresAt,
      ...(job.progress && { progress: job.progress }),
    },
  }
}
