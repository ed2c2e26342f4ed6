/**
 * The handle of a job: the result for a client whose call waited to the limit, and its schema in the list of tools.
 *
 * Official clients check `structuredContent` against the tool's `outputSchema` and lose the whole result if it does not
 * match.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
import { isFinal, type JobRecord, type JsonSchema, type ToolResult } from 'ftl-contract'

const MESSAGES: Partial<Record<JobRecord['status'], string>> = {
  working: 'The tool is still working.',
  input_required: 'The tool waits for input that only a client that follows tasks can send.',
}

const NEXT = 'call get_job with this job_id for its result'

/**
 * @param origin of the gateway as the client addressed it.
 * @param stream where a client can follow the job. It is not for models, because it may contain a capability.
 */
export function jobHandle(job: JobRecord, origin: string, stream?: string): ToolResult {
  const url = `${origin}/jobs/${job.id}`
  // A tool's own message may end without a period.
  const message = (job.message ?? MESSAGES[job.status])?.replace(/[^.!?…]$/, '$&.')
  const next = job.status === 'cancelled' ? undefined : NEXT
  const step = next === undefined ? '' : `: ${next}, or GET ${url}`
  const text = `${message ?? `The job is ${job.status}.`} This is job ${job.id}${step}`
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      job_id: job.id,
      status: job.status,
      // For clients that show a model the structured content only.
      next,
      status_url: url,
      poll_interval_ms: job.pollIntervalMs,
      expires_at: job.expiresAt,
      progress: job.progress,
    },
    ...(stream !== undefined && !isFinal(job) && { _meta: { 'ftl/ws_url': stream } }),
  }
}

/** Describes the `structuredContent` of {@link jobHandle}. */
const HANDLE: JsonSchema = {
  type: 'object',
  description: `The tool is still working: ${NEXT}.`,
  properties: {
    job_id: { type: 'string' },
    status: { type: 'string' },
    next: { type: 'string' },
    status_url: { type: 'string' },
    poll_interval_ms: { type: 'number' },
    expires_at: { type: 'string' },
    progress: { type: 'object' },
  },
  required: ['job_id', 'status', 'status_url'],
}

/**
 * The output schema of a tool whose call may be answered with a job's handle.
 *
 * @param name the tool's, in the list.
 */
export function withHandle({ $schema, ...own }: JsonSchema, name: string): JsonSchema {
  // An id of its own: references such as `#/$defs/size` are then still resolved inside it.
  const needsId = !('$id' in own) && JSON.stringify(own).includes('"$ref"')
  const result = needsId ? { $id: `urn:ftl:output:${encodeURIComponent(name)}`, ...own } : own
  return {
    $schema,
    ...(own.type === 'object' && { type: 'object' }),
    anyOf: [result, HANDLE],
  }
}
