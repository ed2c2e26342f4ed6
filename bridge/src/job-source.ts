/**
 * One look at a job through the gateway.
 *
 * @module
 */
import type { JobStatus, PublicJob } from 'ftl-sdk/contract'

/** A look may take this long; the gateway may be asking ComfyUI meanwhile. */
const LOOK_TIMEOUT_MS = 15_000

export type Look =
  | { kind: 'job'; job: PublicJob }
  /** There is no such job, or it has expired. */
  | { kind: 'missing' }
  /** The gateway did not answer, or not with a job: nothing is known about it. */
  | { kind: 'unreachable' }

export async function lookAtJob(gatewayUrl: string, id: string): Promise<Look> {
  try {
    const response = await fetch(`${gatewayUrl}/jobs/${id}`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
    })
    if (response.status === 404 || response.status === 410) {
      // A proxy or a wrong address answers 404 as well; only the gateway says which job it means.
      return (await isJobNotFound(response)) ? { kind: 'missing' } : { kind: 'unreachable' }
    }
    if (!response.ok) {
      await response.body?.cancel()
      return { kind: 'unreachable' }
    }
    const job: unknown = await response.json()
    return isJob(job, id) ? { kind: 'job', job } : { kind: 'unreachable' }
  } catch {
    return { kind: 'unreachable' }
  }
}

async function isJobNotFound(response: Response): Promise<boolean> {
  const body = (await response.json().catch(() => undefined)) as
    { error?: { code?: unknown } } | undefined
  return body?.error?.code === 'job_not_found'
}

const STATUSES: readonly unknown[] = [
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
] satisfies JobStatus[]

/** What the bridge relies on. An answer of another kind must not end a stream as if the job had. */
function isJob(value: unknown, id: string): value is PublicJob {
  if (typeof value !== 'object' || value === null) return false
  const { id: found, status, seq, result } = value as Partial<Record<keyof PublicJob, unknown>>
  return (
    found === id &&
    STATUSES.includes(status) &&
    typeof seq === 'number' &&
    (result === undefined || hasContent(result))
  )
}

function hasContent(result: unknown): boolean {
  return (
    typeof result === 'object' &&
    result !== null &&
    'content' in result &&
    Array.isArray(result.content) &&
    result.content.every((block) => typeof block === 'object' && block !== null)
  )
}
