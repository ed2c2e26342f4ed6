/**
 * Reading, waiting for and cancelling jobs.
 *
 * No process watches a job: a reader of a working record that is older than its `pollIntervalMs` causes one
 * refresh by the component that owns it.
 *
 * @module
 */
import { isFinal, type JobRecord } from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'
import { forgetJob, keepAnswer, loadJob, SHORTEST_POLL_MS } from './kept-jobs.ts'
import { askOwner, type OwnerAnswer, type OwnerQuestion } from './owner.ts'

/** How a job is looked at and changed, whoever asks. */
export interface JobReader {
  /** The stored record, as it is. `undefined`: there is none, or it has expired. */
  peek(scope: Scope, id: string): Promise<JobRecord | undefined>
  /** The record, refreshed by its owner when it is due. */
  read(scope: Scope, id: string): Promise<JobRecord | undefined>
  /**
   * The record after the owner was told to stop; a job that has ended stays as it is.
   *
   * @throws {OwnerUnavailable}
   */
  cancel(scope: Scope, id: string): Promise<JobRecord | undefined>
  /**
   * The record after the client has answered what the job asked.
   *
   * @throws {OwnerUnavailable}
   */
  answer(scope: Scope, id: string, inputResponses: object): Promise<JobRecord | undefined>
  /**
   * Asks the owner at the job's own pace until it ends or `limitMs` are over, then returns what is known. Gives
   * every record it sees on the way.
   */
  follow(
    scope: Scope,
    job: JobRecord,
    limitMs: number,
  ): AsyncGenerator<JobRecord, JobRecord, undefined>
}

/** The component that owns the job did not answer. */
export class OwnerUnavailable extends Error {
  override readonly name = 'OwnerUnavailable'
}

/** Milliseconds between two looks at most while the gateway waits: a job may end long before its poll interval. */
const LONGEST_PAUSE_MS = 10_000

/**
 * A follower pauses this many times as long as it was delayed by its timer and the store. Hundreds of followers on a
 * busy machine would otherwise use up the time of all other requests; an idle machine delays them by 2 ms.
 */
const PAUSE_PER_DELAY = 20

/** Milliseconds the delay alone makes a follower pause at most: a job that ends is reported so much later. */
const LONGEST_PAUSE_OF_DELAY_MS = 5000

/**
 * Milliseconds a follower pauses before its next look at a job.
 *
 * @param delay milliseconds by which its timer and the store delayed its last look.
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
      const answer = await ask(scope, job, { method: 'GET' })
      if (answer === 'gone') return undefined
      return answer === 'unavailable' ? job : answer
    },

    cancel: (scope, id) => tell(scope, id, { method: 'DELETE' }),

    answer: (scope, id, inputResponses) =>
      tell(scope, id, { method: 'POST', body: JSON.stringify({ inputResponses }) }),

    async *follow(scope, started, limitMs) {
      const end = scope.platform.now() + limitMs
      let job = started
      let delay = 0
      while (!isFinal(job) && !scope.signal.aborted) {
        yield job
        const before = scope.platform.now()
        const left = end - before
        if (left <= 0) break
        const pause = Math.min(followerPause(job, delay), left)
        await new Promise((resolve) => setTimeout(resolve, pause))
        // Of all who wait for the same job, one causes the look; the others find what it found.
        const stored = await loadJob(scope, job.id)
        delay = scope.platform.now() - before - pause
        if (stored && !isDue(scope, stored)) {
          job = stored
          continue
        }
        const limitLeft = Math.max(end - scope.platform.now(), 1)
        const answer = await ask(scope, job, { method: 'GET', limitMs: limitLeft })
        if (answer === 'gone') return { ...job, status: 'failed', message: 'The job has expired.' }
        if (answer !== 'unavailable') job = answer
      }
      return job
    },
  }
}

/** A job that has ended is told nothing more. */
async function tell(
  scope: Scope,
  id: string,
  question: OwnerQuestion,
): Promise<JobRecord | undefined> {
  const job = await loadJob(scope, id)
  if (!job || isFinal(job)) return job
  const answer = await ask(scope, job, question)
  if (answer === 'unavailable') throw new OwnerUnavailable(`"${job.component}" did not answer`)
  return answer === 'gone' ? undefined : answer
}

/** Asks the owner, and keeps what it answers. */
async function ask(scope: Scope, job: JobRecord, question: OwnerQuestion): Promise<OwnerAnswer> {
  const answer = await askOwner(scope, job, question)
  if (answer === 'gone') await forgetJob(scope, job.id)
  return typeof answer === 'string' ? answer : keepAnswer(scope, job, answer)
}

/** A record from the future is due: otherwise its component would not be asked until then. */
function isDue(scope: Scope, job: JobRecord): boolean {
  const age = scope.platform.now() - Date.parse(job.updatedAt)
  return !isFinal(job) && (age < 0 || age >= job.pollIntervalMs)
}
