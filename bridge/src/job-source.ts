/** One look at a job through the gateway. */
import { type JobStatus, linkQuery, type PublicJob } from 'ftl-contract'

/** A look may take this long; the gateway may be asking ComfyUI meanwhile. */
const LOOK_TIMEOUT_MS = 15_000

export type Look =
  | { kind: 'job'; job: PublicJob }
  /** There is no such job, or it has expired. */
  | { kind: 'missing' }
  /** The gateway did not answer, or not with a job: nothing is known about it. */
  | { kind: 'unreachable' }

/** Bytes of a record. The gateway's own limit is lower; this one holds where another server answers. */
const MAX_JOB_BYTES = 8 * 1024 * 1024

export interface LookOptions {
  /** Lets the gateway show an owned job. @default none */
  link?: string | undefined
  /** Milliseconds. @default 15000 */
  timeoutMs?: number
}

export async function lookAtJob(
  gatewayUrl: string,
  id: string,
  { link, timeoutMs = LOOK_TIMEOUT_MS }: LookOptions = {},
): Promise<Look> {
  try {
    const response = await fetch(`${gatewayUrl}/jobs/${id}${linkQuery(link)}`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    // A gateway that requires authentication does not say whether there is a job without a valid link.
    if (response.status === 401) {
      await response.body?.cancel()
      return { kind: 'missing' }
    }
    if (response.status === 404 || response.status === 410) {
      // A proxy or a wrong address answers 404 as well; only the gateway says which job it means.
      return (await isJobNotFound(response)) ? { kind: 'missing' } : { kind: 'unreachable' }
    }
    if (!response.ok) {
      await response.body?.cancel()
      return { kind: 'unreachable' }
    }
    const job = await readJson(response)
    return isJob(job, id) ? { kind: 'job', job } : { kind: 'unreachable' }
  } catch {
    return { kind: 'unreachable' }
  }
}

async function isJobNotFound(response: Response): Promise<boolean> {
  const body = (await readJson(response).catch(() => undefined)) as
    { error?: { code?: unknown } } | undefined
  return body?.error?.code === 'job_not_found'
}

/** @throws {Error} when the body is too long or not JSON. */
async function readJson({ body }: Response): Promise<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    // Leaving the loop cancels the body.
    if (bytes > MAX_JOB_BYTES) throw new RangeError('the record is too long')
    text += decoder.decode(part, { stream: true })
  }
  return JSON.parse(text + decoder.decode())
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
