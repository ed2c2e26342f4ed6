/**
 * The gateway's own records of jobs.
 *
 * A component stores the record of its job where only it can write. The gateway stores its own copy when the component
 * answers with a job, and updates it when the answer changes. Only this copy decides which user and which component
 * own a job, so a component cannot forge a job of another component or user.
 */
import { isoTime } from '../iso-time.ts'
import { utf8 } from 'ftl-http'
import { isFinal, isJobId, type JobRecord } from 'ftl-contract'
import { noteLink } from './job-links.ts'
import { logError } from '../log.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { isOverQuota, isStoreFailure, StoreFull } from '../store-failure.ts'
import { bytesInBlocks, forgetEntries } from '../store-shares.ts'
import { indexJob } from './job-index.ts'
import { isJobRecord } from './job-record.ts'
import { askOwner } from './ask-owner.ts'

/** Bounds of `pollIntervalMs`: with 0 every read would ask the component, with a year none would. */
export const SHORTEST_POLL_MS = 50
const LONGEST_POLL_MS = 3_600_000

/** Maximum bytes of a record. Values of up to 1 MB are safe on every platform. */
const RECORD_LIMIT = 1_000_000

export function keptJobKey(id: string): string {
  return `gateway:job:${id}`
}

/** The record; `undefined` if it does not exist, has expired, or belongs to another user or component. */
export async function loadJob(scope: Scope, id: string): Promise<JobRecord | undefined> {
  const job = await storedJob(scope, id)
  if (!job || (scope.only !== undefined && scope.only !== job.component)) return undefined
  // For any other user the job must look as if it did not exist.
  if (job.owner !== scope.principal) return undefined
  await noteLink(scope, job)
  return job
}

/**
 * Stores the job that a component returned for a call.
 *
 * @returns `undefined` when the answer claims a job of another component or user.
 * @throws {StoreFull} there is no room for it; it is then cancelled.
 */
export async function keepStarted(scope: Scope, answer: JobRecord): Promise<JobRecord | undefined> {
  try {
    return await keepOwn(scope, answer)
  } catch (error) {
    const full = isOverQuota(error) ? new StoreFull(`"${answer.component}"`, 60) : error
    if (full instanceof StoreFull) {
      const { principal: owner } = scope
      scope.platform.waitUntil(askOwner(scope, { ...answer, owner }, { method: 'DELETE' }))
      throw full
    }
    // The work has already started, so an unstored job is more useful to the client than an error.
    logError(scope, `job ${answer.id} of ${answer.component} not stored`, error)
    if (isStoreFailure(error)) scope.platform.waitUntil(keepLater(scope, answer))
    return answer
  }
}

async function keepOwn(scope: Scope, answer: JobRecord): Promise<JobRecord | undefined> {
  const { principal: owner } = scope
  // A repeated idempotency key returns the job that was already started.
  const known = await storedJob(scope, answer.id)
  if (known) {
    const { component } = known
    if (component !== answer.component || known.owner !== owner) return undefined
    await noteLink(scope, known)
    return keepAnswer(scope, known, answer)
  }
  const job = bounded(scope, answer, { ...answer, ...(owner !== undefined && { owner }) })
  const stored = await save(scope, job)
  scope.hooks.noted(scope, { kind: 'job', before: undefined, after: stored })
  await noteLink(scope, job)
  return stored
}

/** Milliseconds before each further attempt to store a job: in all 31.5 s, longer than a store takes to restart. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 16_000]

/** Stores a job after the client has its id: without the record no client could read it. Never throws. */
async function keepLater(scope: Scope, answer: JobRecord): Promise<void> {
  const { platform, settings } = scope
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    try {
      // The scope keeps the store that failed.
      const store = platform.openKeyValue(settings.ownStore || 'default')
      await keepOwn({ ...scope, store: () => store }, answer)
      return
    } catch (error) {
      if (!isStoreFailure(error)) break
    }
  }
  logError(scope, `job ${answer.id} of ${answer.component} given up`, 'the store did not come back')
}

/** Merges the component's answer into the record, and stores the record if it has changed. */
export async function keepAnswer(
  scope: Scope,
  known: JobRecord,
  answer: JobRecord,
): Promise<JobRecord> {
  if (isSame(merged(scope, known, answer), known)) return known
  // Another reader may have stored a newer record meanwhile.
  const latest = (await storedJob(scope, known.id)) ?? known
  const job = merged(scope, latest, answer)
  if (isSame(job, latest)) return job
  const stored = await save(scope, job, latest)
  scope.hooks.noted(scope, { kind: 'job', before: latest, after: stored })
  return stored
}

/** Deletes the record, and gives its room back. */
export async function forgetJob(scope: Scope, job: JobRecord): Promise<void> {
  await forgetEntries(scope, job.component, job.id)
  await indexJob(scope, job, '')
}

/** The record, for whichever user. */
export async function storedJob(scope: Scope, id: string): Promise<JobRecord | undefined> {
  // Check the id before it becomes part of a key, so that a client cannot choose other keys.
  if (!isJobId(id)) return undefined
  const job = await loadEntry(scope, keptJobKey(id))
  if (!isJobRecord(job) || job.id !== id) return undefined
  if (!scope.settings.toolComponents.has(job.component)) return undefined
  if (Date.parse(job.expiresAt) > scope.platform.now()) return job
  await forgetEntries(scope, job.component, id)
  return undefined
}

/** A final record never changes, and an answer that is older than the record is ignored. */
function merged(scope: Scope, known: JobRecord, answer: JobRecord): JobRecord {
  return isFinal(known) || answer.seq < known.seq ? known : bounded(scope, answer, known)
}

/** @param origin the record whose identity, owner and creation time are kept. */
function bounded({ platform, settings }: Scope, answer: JobRecord, origin: JobRecord): JobRecord {
  const { status, message, progress, seq, result, inputRequests, error } = answer
  const { id, component, tool, owner } = origin
  const now = platform.now()
  const created = Math.min(Date.parse(origin.createdAt), now)
  const expires = Math.min(Date.parse(answer.expiresAt), created + settings.callSettings.jobTtlMs)
  return {
    id,
    component,
    tool,
    owner,
    status,
    message,
    progress,
    seq,
    createdAt: isoTime(created),
    updatedAt: isoTime(Math.min(Date.parse(answer.updatedAt), now)),
    expiresAt: isoTime(expires),
    pollIntervalMs: Math.min(Math.max(answer.pollIntervalMs, SHORTEST_POLL_MS), LONGEST_POLL_MS),
    result,
    inputRequests,
    error,
  }
}

function isSame(a: JobRecord, b: JobRecord): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** @param before as it is stored. @returns what is stored. @throws {StoreFull} if it is new and there is no room. */
async function save(scope: Scope, job: JobRecord, before?: JobRecord): Promise<JobRecord> {
  let json = JSON.stringify(job)
  const bytes = utf8(json).length
  let problem: Problem | undefined
  if (bytes > RECORD_LIMIT) {
    const message = `The job's record is too large to be kept: it has ${bytes} bytes, and the limit is ${RECORD_LIMIT}.`
    problem = { message, kind: 'result_too_large' }
  } else problem = await unkept(scope, job, json, before)
  if (!problem) {
    await saveEntry(scope, keptJobKey(job.id), json)
    return job
  }
  const { message, kind } = problem
  const { result, progress, inputRequests, ...rest } = job
  const error = { code: -32000, message, data: { kind } }
  const stored: JobRecord = { ...rest, status: 'failed', message, error }
  json = JSON.stringify(stored)
  await unkept(scope, stored, json, before)
  await saveEntry(scope, keptJobKey(job.id), json)
  return stored
}

interface Problem {
  message: string
  kind: string
}

/** Takes the room that a record needs. @returns why a known job that has grown has none. @throws {StoreFull} if it is new. */
async function unkept(
  scope: Scope,
  job: JobRecord,
  json: string,
  before?: JobRecord,
): Promise<Problem | undefined> {
  const isCounted =
    before?.expiresAt === job.expiresAt &&
    bytesInBlocks(JSON.stringify(before)) === bytesInBlocks(json)
  if (isCounted) return undefined
  try {
    await indexJob(scope, job, json)
    return undefined
  } catch (error) {
    if (!before || !(error instanceof StoreFull)) throw error
    return { message: error.message, kind: 'store_full' }
  }
}
