/**
 * The records of a component's jobs in the key-value store.
 *
 * No backend has a compare-and-swap, so a change is a read, a decision and a write in quick succession. A final status
 * written between the read and the write of another instance can be overwritten; the next poll finds it again.
 */
import { isFinal, isJobId, jobKey, type JobRecord } from 'ftl-contract'
import type { ContextKeyValue, ToolContext } from '../tool/context.ts'
import type { OwnJob } from './definition.ts'
import { failedWith } from './failure.ts'

/** Maximum bytes of a record. Every platform stores values of up to 1 MB; the rest is left to the backend. */
const RECORD_LIMIT = 900_000

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
  remove(id: string): Promise<void>
  values: ContextKeyValue
}

export async function openJobStore(context: ToolContext): Promise<JobStore> {
  const { platform, component } = context
  const values = await platform.openKeyValue('default')
  const store: JobStore = {
    values,

    async read(id) {
      if (!isJobId(id)) return undefined
      const job = await getJson<OwnJob>(values, jobKey(id))
      if (!job || job.component !== component || !mayRead(job, context)) return undefined
      if (Date.parse(job.expiresAt) > platform.now()) return job
      await values.delete(jobKey(id))
      return undefined
    },

    async write(job) {
      let written = job
      let bytes = encode(written)
      if (bytes.length > RECORD_LIMIT) {
        written = tooLarge(job, bytes.length)
        bytes = encode(written)
      }
      await values.set(jobKey(job.id), bytes)
      return written
    },

    async settle(id, change) {
      const latest = await store.read(id)
      if (!latest || isFinal(latest)) return latest
      const changes = change(latest)
      if (!changes) return latest
      const updatedAt = new Date(platform.now()).toISOString()
      return store.write({ ...latest, ...changes, seq: latest.seq + 1, updatedAt })
    },

    remove: (id) => values.delete(jobKey(id)),
  }
  return store
}

/** The gateway names the owner when it asks; another component names the user whose request it serves, or no one. */
function mayRead({ owner }: JobRecord, { principal }: ToolContext): boolean {
  return owner === undefined || owner === principal
}

function tooLarge(job: OwnJob, size: number): OwnJob {
  const { result, progress, ...rest } = job
  const what = result ? 'result' : 'state'
  const message =
    `The ${what} of the job is too large to be kept: ${size} bytes, and ${RECORD_LIMIT} are the limit. ` +
    'Large files belong at an address of their own.'
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
  const bytes = await values.get(key)
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
