/**
 * The jobs of this component in the key-value store.
 *
 * @module
 */
import { getJson, setJson } from 'ftl-platform'
import type { ContextKeyValue, ToolContext } from 'ftl-sdk'
import { isJobId, jobKey, type JobRecord, type JobUpstream } from 'ftl-sdk/contract'
import type { GenerateImageOutput } from './schema.ts'

/** What only this component needs of its job. */
export interface ImageUpstream extends JobUpstream {
  /** Becomes the result's `structuredContent`, with the images added. */
  output: Omit<GenerateImageOutput, 'images'>
  /** Nodes whose files are the result; empty: all. */
  outputNodes: string[]
  /** Since when the server has not answered, ISO 8601. */
  silentSince?: string
}

export type ImageJob = JobRecord & { upstream: ImageUpstream }

const TOOL = 'generate_image'
/** Milliseconds a job is kept, and between two looks at it. */
const LIFETIME_MS = 24 * 60 * 60 * 1000
const POLL_INTERVAL_MS = 1000

export function createJob(
  { platform, component, principal }: ToolContext,
  upstream: Omit<ImageUpstream, 'promptId' | 'state'>,
): ImageJob {
  const id = platform.randomUUID()
  const now = platform.now()
  const createdAt = new Date(now).toISOString()
  return {
    id,
    component,
    tool: TOOL,
    ...(principal !== undefined && { owner: principal }),
    status: 'working',
    message: 'Sending the workflow to ComfyUI',
    seq: 1,
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(now + LIFETIME_MS).toISOString(),
    pollIntervalMs: POLL_INTERVAL_MS,
    upstream: { ...upstream, promptId: id, state: 'submitting' },
  }
}

/** The job as it is after a change; the caller writes it. */
export function changeJob(job: ImageJob, now: number, change: Partial<ImageJob>): ImageJob {
  return { ...job, ...change, seq: job.seq + 1, updatedAt: new Date(now).toISOString() }
}

export function openJobs({ platform }: ToolContext): Promise<ContextKeyValue> {
  return platform.openKeyValue('default')
}

/** `undefined` when there is no such job, it belongs to another component, or it has expired. */
export async function readJob(
  store: ContextKeyValue,
  id: string,
  { platform, component }: ToolContext,
): Promise<ImageJob | undefined> {
  if (!isJobId(id)) return undefined
  const job = await getJson<ImageJob>(store, jobKey(id))
  if (!job || job.component !== component) return undefined
  if (Date.parse(job.expiresAt) > platform.now()) return job
  await store.delete(jobKey(id))
  return undefined
}

export async function writeJob(store: ContextKeyValue, job: ImageJob): Promise<ImageJob> {
  await setJson(store, jobKey(job.id), job)
  return job
}
