/** A job under test, whose clock the test controls. */
import { isFinal, type JobRecord, type ToolResult } from 'ftl-contract'
import { ToolFailed } from './calls.ts'
import type { TestClock } from './clock.ts'

/** Number of polls after which a job that has not ended is treated as endless. */
const MOST_LOOKS = 1000

/** Then the time between two of them doubles. */
const LOOKS_AT_ONE_PACE = 100

/** A job that a call has started, controlled by a test. */
export interface TestJob {
  readonly id: string
  /** The record as it was last read. */
  readonly record: JobRecord
  /** Advances the clock by `milliseconds`, then reads the job. @default the record's `pollIntervalMs` */
  poll(milliseconds?: number): Promise<JobRecord>
  /** Polls until the job has ended, advancing the clock. @throws {ToolFailed} after 1000 polls. */
  end(): Promise<JobRecord>
  /** Like `end`, but returns the result. @throws {ToolFailed} when the job failed or was cancelled. */
  result(): Promise<ToolResult>
  cancel(): Promise<JobRecord>
}

/** @param ask sends a request about the job and returns its record, or `undefined` if it no longer exists. */
export function testJob(
  started: JobRecord,
  clock: TestClock,
  ask: (method: 'GET' | 'DELETE', id: string) => Promise<JobRecord | undefined>,
): TestJob {
  const { id } = started
  let record = started
  const look = async (method: 'GET' | 'DELETE') => {
    const found = await ask(method, id)
    if (!found) throw new ToolFailed(`job ${id} is gone: it has expired, or was never stored`)
    return (record = found)
  }
  const job: TestJob = {
    id,
    get record() {
      return record
    },
    poll: (milliseconds = record.pollIntervalMs) => {
      clock.advance(milliseconds)
      return look('GET')
    },
    cancel: () => look('DELETE'),
    async end() {
      for (let looks = 0; !isFinal(record); looks++) {
        // A job may take hours: the longer it takes, the less often it is looked at.
        const longer = 2 ** Math.floor(looks / LOOKS_AT_ONE_PACE)
        if (looks === MOST_LOOKS) {
          throw new ToolFailed(
            `job ${id} has not ended after ${MOST_LOOKS} looks: ${record.message}`,
          )
        }
        await job.poll(record.pollIntervalMs * longer)
      }
      return record
    },
    async result() {
      const { status, result, error, message } = await job.end()
      if (status === 'completed') return result ?? { content: [] }
      throw new ToolFailed(`job ${status}: ${error?.message ?? message ?? ''}`)
    },
  }
  return job
}
