/**
 * The job record that every style of client reads (tasks, SSE, WebSocket, polling).
 *
 * The component that owns a job keeps the record in its own store and is the only writer there, because no key-value
 * backend offers a reliable compare-and-swap. The gateway stores a separate record for clients. No process watches a
 * job: reading a working record that is older than its `pollIntervalMs` refreshes it once, so a job outlives any
 * restart.
 */
import type { InputRequest } from './input-required.ts'
import type { ToolResult } from './tool.ts'

/** The last three are final: the job does not change any more. */
export type JobStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A job, stored under `job:{id}`. */
export interface JobRecord {
  /** UUIDv4; also the MCP `taskId`, the `stream_id` and ComfyUI's `prompt_id`. */
  id: string
  /** The component that owns the job, answers `GET /jobs/{id}` and is the record's only writer. */
  component: string
  tool: string
  /** The principal that started the job; absent when the gateway knows no principal. */
  owner?: string
  /**
   * `completed`, `failed` and `cancelled` are final and never change again. `input_required` waits for answers to
   * `inputRequests`.
   */
  status: JobStatus
  /** One line for a person: what is happening, or how it ended. */
  message?: string
  progress?: { value: number; total?: number }
  /** Increases with every change. */
  seq: number
  /** ISO 8601 timestamps. */
  createdAt: string
  updatedAt: string
  expiresAt: string
  /** Milliseconds a reader should wait between two reads, and the age at which a record is refreshed. */
  pollIntervalMs: number
  /** Set when `status` is `completed`. */
  result?: ToolResult
  /** Questions to the client while `status` is `input_required`; an answered key is removed. */
  inputRequests?: Record<string, InputRequest>
  /** Set when `status` is `failed`: a JSON-RPC error object. */
  error?: { code: number; message: string; data?: unknown }
  /** What the component needs to find the work again. Never sent to a client. */
  upstream?: unknown
}

/** The record as clients see it: without `upstream` and `owner`. */
export type PublicJob = Omit<JobRecord, 'upstream' | 'owner'>

/** Key of a job in its component's key-value store `default`. */
export function jobKey(id: string): string {
  return `job:${id}`
}

/** Whether the record will never change again. */
export function isFinal(job: Pick<JobRecord, 'status'>): boolean {
  return ['completed', 'failed', 'cancelled'].includes(job.status)
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether `id` can be a job's id; checked before it becomes part of a key or an address. */
export function isJobId(id: string): boolean {
  return UUID.test(id)
}

/** Removes the fields that clients must not see. */
export function publicJob(job: JobRecord): PublicJob {
  const { upstream, owner, ...rest } = job
  return rest
}

/** Path below which the files of finished jobs are served, by the owner, the gateway and the bridge alike. */
export const OUTPUTS_PATH = '/outputs/'

const OUTPUT_FILE = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:-(\d{1,3}))?\.([a-z0-9]{2,5})$/

/**
 * Parses the name of an output file: `{job id}.png` is the first file of a job, `{job id}-2.png` the second.
 *
 * In a job's result a file is a `resource_link` with the relative uri `/outputs/{name}`; the server that sends it to a
 * client prepends its own origin.
 */
export function parseOutputName(
  name: string,
): { jobId: string; index: number; extension: string } | undefined {
  const [, jobId, number, extension] = OUTPUT_FILE.exec(name) ?? []
  if (jobId === undefined || extension === undefined) return undefined
  return { jobId, index: number === undefined ? 0 : Number(number) - 1, extension }
}

/** Name of an output file of a job, below `/outputs/`: `{id}.png`, then `{id}-2.png`. */
export function outputName(jobId: string, index: number, extension: string): string {
  return index === 0 ? `${jobId}.${extension}` : `${jobId}-${index + 1}.${extension}`
}
