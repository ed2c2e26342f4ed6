/**
 * Jobs of the fixtures, stored as the component contract requires. An instance lives for one request, so no work
 * continues between two of them: the state of a job is computed from the clock when the job is read.
 */
import { isFinal, jobKey, type JobRecord } from 'ftl-contract'
import { getJson, type Platform, setJson } from 'ftl-platform'
import { JOB_TOOLS, type Work } from './job-tools.ts'

/** The suite looks five times a second. */
const POLL_INTERVAL_MS = 200
const LIFETIME_MS = 600_000

/** The part of a job that only this component reads. */
interface Private {
  takesMs: number
  input: Record<string, unknown>
  answers: Record<string, unknown>
  /** Milliseconds since the epoch. */
  since: number
}

interface Job {
  record: JobRecord
  work: Private
}

/** Who starts what. */
export type Origin = Pick<JobRecord, 'component' | 'tool' | 'owner'>

/** The record of a new job; it is stored when this returns. */
export async function startJob(
  platform: Platform,
  origin: Origin,
  { takesMs, asks, input = {} }: Work,
): Promise<JobRecord> {
  const now = platform.now()
  const record: JobRecord = {
    ...origin,
    id: platform.randomUUID(),
    seq: 1,
    createdAt: iso(now),
    updatedAt: iso(now),
    expiresAt: iso(now + LIFETIME_MS),
    pollIntervalMs: POLL_INTERVAL_MS,
    ...(asks ? { status: 'input_required', inputRequests: asks } : { status: 'working' }),
  }
  await store(platform, { record, work: { takesMs, input, answers: {}, since: now } })
  return record
}

/** The current record. `undefined`: there is no such job. */
export function readJob(platform: Platform, id: string): Promise<JobRecord | undefined> {
  return change(platform, id, (job) => job)
}

export function cancelJob(platform: Platform, id: string): Promise<JobRecord | undefined> {
  return change(platform, id, ({ record: { inputRequests: _, ...record }, work }) => ({
    record: { ...record, status: 'cancelled' },
    work,
  }))
}

/** Takes the answers that were asked for. Others are the client's mistake and harmless, so they are ignored. */
export function answerJob(
  platform: Platform,
  id: string,
  responses: Record<string, unknown>,
): Promise<JobRecord | undefined> {
  return change(platform, id, (job, now) => {
    const { inputRequests = {}, ...record } = job.record
    const questions = Object.entries(inputRequests)
    const open = questions.filter(([key]) => !Object.hasOwn(responses, key))
    if (open.length === questions.length) return job
    const answers = { ...job.work.answers }
    for (const [key] of questions) if (Object.hasOwn(responses, key)) answers[key] = responses[key]
    const work = { ...job.work, answers, since: now }
    return open.length > 0
      ? { record: { ...record, inputRequests: Object.fromEntries(open) }, work }
      : { record: { ...record, status: 'working' }, work }
  })
}

/** Changes a job that has not ended. */
async function change(
  platform: Platform,
  id: string,
  step: (job: Job, now: number) => Job,
): Promise<JobRecord | undefined> {
  const before = await load(platform, id)
  if (!before || isFinal(before.record)) return before?.record
  const now = platform.now()
  // A job that has ended by the clock must not be cancelled, even if it was not read since.
  const current = advance(before, now)
  const { record, work } = isFinal(current.record) ? current : advance(step(current, now), now)
  if (record === before.record) return record
  const after = { ...record, seq: record.seq + 1, updatedAt: iso(now) }
  await store(platform, { record: after, work })
  return after
}

/** The job at `now`, if only the clock changes it. */
function advance({ record, work }: Job, now: number): Job {
  if (record.status !== 'working') return { record, work }
  const { takesMs, since, input, answers } = work
  const value = Math.min(now - since, takesMs)
  if (value < takesMs) return { record: { ...record, progress: { value, total: takesMs } }, work }
  const tool = JOB_TOOLS[record.tool]
  if (!tool) throw new Error(`there is no tool ${record.tool}`)
  const end = tool.end(input, answers)
  return { record: { ...record, status: 'result' in end ? 'completed' : 'failed', ...end }, work }
}

async function load(platform: Platform, id: string): Promise<Job | undefined> {
  const keyValue = await platform.openKeyValue('default')
  const [record, work] = await Promise.all([
    getJson<JobRecord>(keyValue, jobKey(id)),
    getJson<Private>(keyValue, workKey(id)),
  ])
  return record && work && { record, work }
}

async function store(platform: Platform, { record, work }: Job): Promise<void> {
  const keyValue = await platform.openKeyValue('default')
  // The record last: a client that sees it must be able to request the job.
  await setJson(keyValue, workKey(record.id), work)
  await setJson(keyValue, jobKey(record.id), record)
}

function workKey(id: string): string {
  return `work:${id}`
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
