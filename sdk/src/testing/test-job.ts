/**
 * A job under test: time passes when the test says so.
 *
 * @module
 */
import { isFinal, type JobRecord } from '../contract/job.ts'
import type { ToolResult } from '../contract/tool.ts'
import { ToolFailed } from './calls.ts'
import type { TestClock } from './clock.ts'

/** Looks after which a job that has not ended is taken for one that never will. */
const MOST_LOOKS = 1000

/** A job a call has started, in the hands of a test. */
export interface TestJob {
  readonly id: string
  /** The record as it was seen last. */
  readonly record: JobRecord
  /** Lets `milliseconds` pass and looks. @default as long as the job says a reader should wait */
  poll(milliseconds?: number): Promise<JobRecord>
  /** Looks until the job has ended, letting the time between two looks pass. */
  end(): Promise<JobRecord>
  /** The same, for its result. Rejects when it failed or was cancelled. */
  result(): Promise<ToolResult>
  cancel(): Promise<JobRecord>
}

/** @param ask a request about the job; the record, or `undefined` when there is none any more. */
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
        if (looks === MOST_LOOKS) {
          throw new ToolFailed(
            `job ${id} has not ended after ${MOST_LOOKS} looks: ${record.message}`,
          )
        }
        await job.poll()
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
