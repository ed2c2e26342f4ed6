/**
 * The gateway's own records of jobs.
 *
 * A component keeps the record of its job where only it can write. The gateway keeps another: written when the
 * component answers with a job, and again whenever its answer has changed. Whose a job is and which component is asked
 * about it comes from this record alone, so no component can make up the job of another, or of another caller.
 *
 * @module
 */
import { isFinal, isJobId, type JobRecord } from 'ftl-sdk/contract'
import { logError } from '../log.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { isJobRecord } from './job-record.ts'
import { noteExpiry } from './job-expiry.ts'

/** Milliseconds a job may be kept, whatever its component says. */
const LIFETIME_LIMIT_MS = 30 * 24 * 3_600_000

/** Bounds of `pollIntervalMs`: 0 would ask the component for every reader, a year would never ask. */
export const SHORTEST_POLL_MS = 50
const LONGEST_POLL_MS = 3_600_000

/** Characters of a record. Values of up to 1 MB are safe on every platform. */
const RECORD_LIMIT = 1_000_000

export function keptJobKey(id: string): string {
  return `gateway:job:${id}`
}

/** The record, for a caller who may see it. `undefined`: there is none, it is another's, or it has expired. */
export async function loadJob(scope: Scope, id: string): Promise<JobRecord | undefined> {
  const job = await anyJob(scope, id)
  if (!job || (scope.only !== undefined && scope.only !== job.component)) return undefined
  // To anybody else it is as if there were no such job.
  return job.owner === undefined || job.owner === scope.principal ? job : undefined
}

/**
 * Takes over what a component answered to a call.
 *
 * @returns `undefined` when the answer claims the job of another component, or of another caller.
 */
export async function keepStarted(scope: Scope, answer: JobRecord): Promise<JobRecord | undefined> {
  const { principal: owner } = scope
  try {
    // The same idempotency key gives the job that has begun already.
    const known = await anyJob(scope, answer.id)
    if (known) {
      const { component } = known
      if (component !== answer.component || known.owner !== owner) return undefined
      return await keepAnswer(scope, known, answer)
    }
    const job = bounded(scope, answer, { ...answer, ...(owner !== undefined && { owner }) })
    await save(scope, job)
    scope.platform.waitUntil(noteExpiry(scope, job))
    return job
  } catch (error) {
    // The work is under way: the client is better off with an answer than without.
    logError(scope, `job ${answer.id} of ${answer.component} not stored`, error)
    return answer
  }
}

/** The record after its component has answered; stored if something in it has changed. */
export async function keepAnswer(
  scope: Scope,
  known: JobRecord,
  answer: JobRecord,
): Promise<JobRecord> {
  if (isSame(merged(scope, known, answer), known)) return known
  // Another reader may have learned more meanwhile.
  const latest = (await anyJob(scope, known.id)) ?? known
  const job = merged(scope, latest, answer)
  if (!isSame(job, latest)) await save(scope, job)
  return job
}

export async function forgetJob(scope: Scope, id: string): Promise<void> {
  await (await scope.store()).delete(keptJobKey(id))
}

async function anyJob(scope: Scope, id: string): Promise<JobRecord | undefined> {
  // A store may be asked for any key, so the id is checked before it becomes part of one.
  if (!isJobId(id)) return undefined
  const job = await loadEntry(scope, keptJobKey(id))
  if (!isJobRecord(job) || job.id !== id) return undefined
  if (!scope.settings.toolComponents.includes(job.component)) return undefined
  if (Date.parse(job.expiresAt) > scope.platform.now()) return job
  await forgetJob(scope, id)
  return undefined
}

/** An end never changes, and an answer that was overtaken by a later one says nothing. */
function merged(scope: Scope, known: JobRecord, answer: JobRecord): JobRecord {
  return isFinal(known) || answer.seq < known.seq ? known : bounded(scope, answer, known)
}

/** @param origin what no answer changes. */
function bounded({ platform }: Scope, answer: JobRecord, origin: JobRecord): JobRecord {
  const { status, message, progress, seq, result, inputRequests, error } = answer
  const { id, component, tool, owner } = origin
  const now = platform.now()
  const created = Math.min(Date.parse(origin.createdAt), now)
  const expires = Math.min(Date.parse(answer.expiresAt), created + LIFETIME_LIMIT_MS)
  return {
    ...{ id, component, tool, ...(owner !== undefined && { owner }) },
    ...{ status, message, progress, seq },
    createdAt: iso(created),
    updatedAt: iso(Math.min(Date.parse(answer.updatedAt), now)),
    expiresAt: iso(expires),
    pollIntervalMs: Math.min(Math.max(answer.pollIntervalMs, SHORTEST_POLL_MS), LONGEST_POLL_MS),
    ...{ result, inputRequests, error },
  }
}

function isSame(a: JobRecord, b: JobRecord): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

async function save(scope: Scope, job: JobRecord): Promise<void> {
  let json = JSON.stringify(job)
  if (json.length > RECORD_LIMIT) {
    const message = `The job's record is too large to be kept: ${json.length} characters, and ${RECORD_LIMIT} are the limit.`
    const { result, progress, inputRequests, ...rest } = job
    const error = { code: -32000, message, data: { kind: 'result_too_large' } }
    json = JSON.stringify({ ...rest, status: 'failed', message, error })
  }
  await saveEntry(scope, keptJobKey(job.id), json)
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
