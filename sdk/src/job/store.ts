/**
 * The records of a component's jobs in the key-value store.
 *
 * A change is a read, a decision and a write. Where the host compares (`setIf`), the write happens only if the record is
 * still the one that was read; otherwise the decision is made again. Elsewhere a final status that another instance writes
 * in between can be overwritten; the next poll finds it again.
 */
import { isFinal, isJobId, jobKey, type JobRecord } from 'ftl-contract'
import type { ContextKeyValue, ToolContext } from '../tool/context.ts'
import type { OwnJob } from './definition.ts'
import { failedWith } from './failure.ts'

/** Maximum bytes of a record. Every platform stores values of up to 1 MB; the rest is left to the backend. */
const RECORD_LIMIT = 900_000

/** How often a change is decided again because another instance has changed the record. Each time, one of them succeeds. */
const CHANGE_LIMIT = 20

export interface JobStore {
  /** `undefined` if the job does not exist, has expired, or belongs to another component or principal. */
  read(id: string): Promise<OwnJob | undefined>
  /** @returns the record as written: one that is too large becomes a failed one. */
  write(job: OwnJob): Promise<OwnJob>
  /**
   * Changes a job; writes nothing if it has ended or does not exist.
   *
   * @param change gets the current record and returns the fields to change; `undefined` changes nothing.
   * @returns the record afterwards.
   */
  settle(
    id: string,
    change: (latest: OwnJob) => Partial<OwnJob> | undefined,
  ): Promise<OwnJob | undefined>
  /**
   * Takes the next poll for this instance, so that of many readers one asks the service: the record then counts as new for
   * a poll interval, also if this instance crashes. Where the host cannot compare, every reader takes it.
   *
   * @param job as it was read.
   * @returns whether this instance is to poll.
   */
  takePoll(job: OwnJob): Promise<boolean>
  remove(id: string): Promise<void>
  values: ContextKeyValue
}

export async function openJobStore(context: ToolContext): Promise<JobStore> {
  const { platform, component } = context
  const values = await platform.openKeyValue('default')
  const changed = (job: OwnJob, changes: Partial<OwnJob>): OwnJob => {
    const updatedAt = new Date(platform.now()).toISOString()
    return { ...job, ...changes, seq: job.seq + 1, updatedAt }
  }
  const bytesOf = new WeakMap<OwnJob, Uint8Array>()
  const load = async (id: string): Promise<OwnJob | undefined> => {
    if (!isJobId(id)) return undefined
    const bytes = await values.get(jobKey(id))
    const job = jsonOf<OwnJob>(bytes)
    if (!bytes || !job || job.component !== component || !mayRead(job, context)) return undefined
    bytesOf.set(job, bytes)
    if (Date.parse(job.expiresAt) > platform.now()) return job
    await values.delete(jobKey(id))
    return undefined
  }
  const store: JobStore = {
    values,

    read: load,

    async write(job) {
      const { written, bytes } = fitting(job)
      await values.set(jobKey(job.id), bytes)
      return written
    },

    async settle(id, change) {
      for (let tries = 1; ; tries++) {
        const latest = await load(id)
        if (!latest || isFinal(latest)) return latest
        const changes = change(latest)
        if (!changes) return latest
        const next = fitting(changed(latest, changes))
        const isWritten = await values.setIf?.(jobKey(id), bytesOf.get(latest), next.bytes)
        if (isWritten === undefined) await values.set(jobKey(id), next.bytes)
        if (isWritten !== false) return next.written
        if (tries === CHANGE_LIMIT)
          throw new Error(`other requests change job ${id} too often to write it`)
      }
    },

    async takePoll(job) {
      const next = encode(changed(job, {}))
      return (await values.setIf?.(jobKey(job.id), bytesOf.get(job), next)) !== false
    },

    remove: (id) => values.delete(jobKey(id)),
  }
  return store
}

/** The gateway names the owner when it asks; another component names the user whose request it serves, or no one. */
function mayRead({ owner }: JobRecord, { principal }: ToolContext): boolean {
  return owner === undefined || owner === principal
}

/** The record as it can be kept. */
function fitting(job: OwnJob): { written: OwnJob; bytes: Uint8Array } {
  const bytes = encode(job)
  if (bytes.length <= RECORD_LIMIT) return { written: job, bytes }
  const written = tooLarge(job, bytes.length)
  return { written, bytes: encode(written) }
}

function tooLarge(job: OwnJob, size: number): OwnJob {
  const { result, progress, ...rest } = job
  const what = result ? 'result' : 'state'
  const message =
    `The ${what} of the job is too large to be kept: it has ${size} bytes, and the limit is ${RECORD_LIMIT}. ` +
    'Return the address of a large file instead.'
  // Drop the state: with it the record would be too large again.
  const { state, ...upstream } = job.upstream
  return {
    ...rest,
    upstream: what === 'state' ? upstream : job.upstream,
    ...failedWith({ message, kind: `${what}_too_large` }),
  }
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

function encode(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** The JSON value under `key`; `undefined` if the key is missing or the value is not JSON. */
export async function getJson<T>(values: ContextKeyValue, key: string): Promise<T | undefined> {
  return jsonOf(await values.get(key))
}

/** The same for a value that was read already. */
export function jsonOf<T>(bytes: Uint8Array | undefined): T | undefined {
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(decoder.decode(bytes)) as T
  } catch {
    return undefined
  }
}

export async function setJson(values: ContextKeyValue, key: string, value: unknown): Promise<void> {
  await values.set(key, JSON.stringify(value))
}
