/**
 * Follows jobs to their end, even if the connection, the page or the gateway fails meanwhile: each attempt reads the
 * job's record again, which is the only source of truth.
 */
import { type Line, readLines } from 'ftl-client/ndjson'
import { ApiError, asRecord, count, getJson, request, text } from '../net/api.ts'
import { online, untilRetry, whileOnline } from '../net/online.ts'
import { needsSignIn, session, untilAllowed } from '../sign-in/session.ts'
import { changeJob, isOver, jobs, toState } from './known-jobs.ts'

/**
 * Maximum number of simultaneous streams; further jobs are polled. A browser opens six connections per origin over all
 * tabs, and the page needs the others.
 */
const MOST_STREAMS = 2
const POLL_MS = 1_500
/** The gateway sends a heartbeat every 15 seconds; a connection without data for 40 seconds is considered dead. */
const SILENCE_MS = 40_000
/** The lock of a job that no other tab follows takes less. */
const FREE_LOCK_MS = 200
/** Tenths of a second after which what another tab has saved is here, on a busy machine as well. */
const NEWS_WAITS = 20

const followed = new Set<string>()
let streams = 0

/** Follows all running jobs, and every job that is added later. */
export function startFollowing(): void {
  const followRunning = () => {
    for (const job of jobs.get().values()) if (!isOver(job)) void follow(job.id)
  }
  followRunning()
  jobs.subscribe(followRunning)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function follow(id: string): Promise<void> {
  if (followed.has(id)) return
  followed.add(id)
  while (isRunning(id)) {
    // Not while the lock is held: the user may have signed in in another tab.
    await untilAllowed()
    // One tab follows the job, the others read its saved state; when that tab closes, the next one takes over.
    if ('locks' in navigator) await alone(id)
    else await toEnd(id)
  }
  followed.delete(id)
}

/** In one tab at a time. */
async function alone(id: string): Promise<void> {
  const asked = Date.now()
  await navigator.locks.request(`ftl.job.${id}`, async () => {
    // That the job has ended arrives later than the lock of the tab that has seen it.
    let waits = Date.now() - asked > FREE_LOCK_MS ? NEWS_WAITS : 0
    while (waits-- > 0 && isRunning(id)) await pause(100)
    await toEnd(id)
  })
}

/** Returns at the end of the job, or when the user has to sign in. */
async function toEnd(id: string): Promise<void> {
  for (let failures = 0; isRunning(id);) {
    try {
      if (!online.get()) throw new ApiError(0, 'offline', '')
      if (streams < MOST_STREAMS) await stream(id, () => (failures = 0))
      else await pollJob(id)
      failures = 0
    } catch (error) {
      if (error instanceof ApiError && [404, 410].includes(error.status)) {
        changeJob(id, { state: 'expired', isLost: false })
        return
      }
      if (needsSignIn(session.get())) return
      if (isRunning(id)) changeJob(id, { isLost: true })
      await untilRetry(failures++)
    }
  }
}

function isRunning(id: string): boolean {
  const job = jobs.get().get(id)
  return job !== undefined && !isOver(job)
}

async function stream(id: string, onLine: () => void): Promise<void> {
  streams++
  const controller = whileOnline()
  const silence = { timer: setTimeout(() => controller.abort(), SILENCE_MS) }
  try {
    const headers = { accept: 'application/x-ndjson' }
    const { body } = await request(`/jobs/${id}/events`, { headers, signal: controller.signal })
    if (!body) return await pollJob(id)
    for await (const line of readLines(body)) {
      clearTimeout(silence.timer)
      silence.timer = setTimeout(() => controller.abort(), SILENCE_MS)
      onLine()
      applyLine(id, line)
      if (!isRunning(id)) return
    }
    throw new ApiError(0, 'broken', 'The stream ended before the job.')
  } finally {
    streams--
    clearTimeout(silence.timer)
    controller.abort()
  }
}

function applyLine(id: string, line: Line): void {
  const { type, status, message, progress, total, result } = line
  if (type === 'heartbeat') return
  if (type === 'result') {
    changeJob(id, { state: 'completed', result, message: text(message), isLost: false })
  } else if (type === 'error') {
    const state = toState(status)
    const ended = state && state !== 'working' ? state : 'failed'
    changeJob(id, { state: ended, error: text(message), isLost: false })
  } else {
    changeJob(id, {
      state: toState(status) ?? 'working',
      isLost: false,
      message: text(message),
      progress: count(progress),
      total: count(total),
    })
  }
}

/** Polls the job's record once. @throws {ApiError} */
export async function pollJob(id: string): Promise<void> {
  const record = asRecord(await getJson(`/jobs/${id}`))
  const { value, total } = asRecord(record['progress'])
  const error = text(asRecord(record['error'])['message'])
  changeJob(id, {
    state: toState(record['status']) ?? 'working',
    isLost: false,
    message: text(record['message']),
    progress: count(value),
    total: count(total),
    ...(error !== undefined && { error }),
    ...(record['result'] !== undefined && { result: record['result'] }),
  })
  if (isRunning(id)) await pause(POLL_MS)
}

/** Cancels a job. @throws {ApiError} when it could not be cancelled. */
export async function cancel(id: string): Promise<void> {
  const record = asRecord(await getJson(`/jobs/${id}`, { method: 'DELETE' }, true))
  const state = toState(record['status'])
  if (state && state !== 'working') changeJob(id, { state, message: text(record['message']) })
}
