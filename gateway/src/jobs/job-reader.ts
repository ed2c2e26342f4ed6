/**
 * Reads, waits for and cancels jobs.
 *
 * No process watches a job: when a working record that is older than its `pollIntervalMs` is read, the component that
 * owns it is asked to refresh it once.
 */
import { isFinal, isString, type JobRecord, pause } from 'ftl-contract'
import { DeadlineExceeded, withDeadline } from 'ftl-http'
import type { Scope } from '../scope.ts'
import { forgetJob, keepAnswer, loadJob, SHORTEST_POLL_MS } from './kept-jobs.ts'
import { askOwner, type OwnerAnswer, type OwnerRequest } from './ask-owner.ts'

/** Reads and changes jobs, for every transport. */
export interface JobReader {
  /** The stored record, without a refresh; `undefined` if it does not exist or has expired. */
  peek(scope: Scope, id: string): Promise<JobRecord | undefined>
  /** The record, refreshed by its owner if it is due. */
  read(scope: Scope, id: string): Promise<JobRecord | undefined>
  /**
   * Asks the owner to stop the job and returns the new record; a job that has ended does not change.
   *
   * @throws {OwnerUnavailable}
   */
  cancel(scope: Scope, id: string): Promise<JobRecord | undefined>
  /**
   * Sends the client's answers to the job's ownerRequests to the owner and returns the new record.
   *
   * @throws {OwnerUnavailable}
   */
  answer(scope: Scope, id: string, inputResponses: object): Promise<JobRecord | undefined>
  /**
   * Polls the owner at the job's `pollIntervalMs` until the job ends or `limitMs` have passed. Yields each record it
   * reads and returns the last one.
   */
  follow(
    scope: Scope,
    job: JobRecord,
    limitMs: number,
  ): AsyncGenerator<JobRecord, JobRecord, undefined>
}

/** What clients read of a job that is not known, or that belongs to another caller. */
export const NO_SUCH_JOB = 'There is no such job, or it has expired.'

/** The component that owns the job did not answer, or not in time. The message is for the client. */
export class OwnerUnavailable extends Error {
  override readonly name = 'OwnerUnavailable'
}

/**
 * Milliseconds a client waits for the confirmation of a cancel or an answer. The request to the owner goes on: its server
 * may be slow.
 */
const CONFIRM_MS = 2_000

/** Maximum milliseconds between two polls while the gateway waits: a job may end long before its poll interval. */
const LONGEST_PAUSE_MS = 10_000

/**
 * A follower pauses this many times as long as it was delayed by its timer and the store. Hundreds of followers on a
 * busy machine would otherwise use up the time of all other requests; an idle machine delays them by 2 ms.
 */
const PAUSE_PER_DELAY = 20

/** Maximum pause in milliseconds due to the delay alone: the end of a job is reported later by up to this time. */
const LONGEST_PAUSE_OF_DELAY_MS = 5000

/**
 * Milliseconds a follower pauses before it next reads a job.
 *
 * @param delay milliseconds by which its timer and the store delayed its last read.
 */
export function followerPause({ pollIntervalMs }: JobRecord, delay: number): number {
  const share = Math.min(delay * PAUSE_PER_DELAY, LONGEST_PAUSE_OF_DELAY_MS)
  return Math.min(Math.max(pollIntervalMs, SHORTEST_POLL_MS, share), LONGEST_PAUSE_MS)
}

export function createJobReader(): JobReader {
  return {
    peek: loadJob,

    async read(scope, id) {
      const job = await loadJob(scope, id)
      if (!job || !isDue(scope, job)) return job
      const answer = await updateFromOwner(scope, job, { method: 'GET' })
      if (answer === 'gone') return undefined
      return answer === 'unavailable' ? job : answer
    },

    cancel: (scope, id) => sendToOwner(scope, id, { method: 'DELETE' }),

    answer: (scope, id, inputResponses) =>
      sendToOwner(scope, id, { method: 'POST', body: JSON.stringify({ inputResponses }) }),

    async *follow(scope, started, limitMs) {
      const end = scope.platform.now() + limitMs
      let job = started
      let delay = 0
      while (!isFinal(job) && !scope.connection.hasLeft) {
        yield job
        const before = scope.platform.now()
        const left = end - before
        if (left <= 0) break
        const pauseMs = Math.min(followerPause(job, delay), left)
        await pause(pauseMs)
        // Of all followers of the same job, one asks the owner; the others read the record that it stored.
        const stored = await loadJob(scope, job.id)
        delay = scope.platform.now() - before - pauseMs
        if (stored && !isDue(scope, stored)) {
          job = stored
          continue
        }
        const limitLeft = Math.max(end - scope.platform.now(), 1)
        const answer = await updateFromOwner(scope, job, { method: 'GET', limitMs: limitLeft })
        if (answer === 'gone') return { ...job, status: 'failed', message: 'The job has expired.' }
        if (answer !== 'unavailable') job = answer
      }
      return job
    },
  }
}

/** Sends a request to the owner, unless the job has ended. */
async function sendToOwner(
  scope: Scope,
  id: string,
  ownerRequest: OwnerRequest,
): Promise<JobRecord | undefined> {
  const job = await loadJob(scope, id)
  if (!job || isFinal(job)) return job
  const asked = updateFromOwner(scope, job, ownerRequest)
  scope.platform.waitUntil(asked)
  const answer = await withDeadline(CONFIRM_MS, () => asked).catch((error: unknown) => {
    if (!(error instanceof DeadlineExceeded)) throw error
    throw new OwnerUnavailable(
      `"${job.component}" has not confirmed it within ${CONFIRM_MS / 1000} s. Read the job to see whether it did.`,
    )
  })
  if (answer === 'unavailable') {
    throw new OwnerUnavailable(`"${job.component}" did not answer; the job continues.`)
  }
  return answer === 'gone' ? undefined : answer
}

/** Sends the request to the owner and stores its answer. */
async function updateFromOwner(
  scope: Scope,
  job: JobRecord,
  ownerRequest: OwnerRequest,
): Promise<OwnerAnswer> {
  const owner = scope.hooks.ownerOf(scope, job)
  const answer = await (owner ? owner(ownerRequest) : askOwner(scope, job, ownerRequest))
  if (answer === 'gone') {
    await forgetJob(scope, job)
    scope.hooks.noted(scope, { kind: 'lost-job', job })
  }
  return isString(answer) ? answer : keepAnswer(scope, job, answer)
}

/** A record from the future is due; otherwise its component would not be asked until that time. */
function isDue(scope: Scope, job: JobRecord): boolean {
  const age = scope.platform.now() - Date.parse(job.updatedAt)
  return !isFinal(job) && (age < 0 || age >= job.pollIntervalMs)
}
