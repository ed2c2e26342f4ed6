/** Follows a job that a call has started, for a client that waits for its end. */
import type { JobRecord, StatusLine } from 'ftl-contract'
import type { JobReader } from '../jobs/job-reader.ts'
import type { Scope } from '../scope.ts'

/** Records of one job, in the order they were read; returns the last one. */
export type JobRecords = AsyncGenerator<JobRecord, JobRecord, undefined>

/** Until the job ends, at most `waitMs` milliseconds and at most `wait_limit_ms`: proxies end a silent request. */
export function followToLimit(
  jobs: JobReader,
  scope: Scope,
  job: JobRecord,
  waitMs = Infinity,
): JobRecords {
  return jobs.follow(scope, job, Math.min(waitMs, scope.settings.waitLimitMs))
}

/**
 * Until the job ends, at most `waitMs` milliseconds and at most `stream_limit_ms`: for a call that reports progress, which
 * keeps its connection alive.
 */
export function followWithProgress(
  jobs: JobReader,
  scope: Scope,
  job: JobRecord,
  waitMs = Infinity,
): JobRecords {
  return followToExpiry(jobs, scope, job, Math.min(waitMs, scope.settings.streamLimitMs))
}

/** Until the job ends or expires, at most `waitMs` milliseconds: for a stream that the client can open again. */
export function followToExpiry(
  jobs: JobReader,
  scope: Scope,
  job: JobRecord,
  waitMs = Infinity,
): JobRecords {
  const left = Date.parse(job.expiresAt) - scope.platform.now()
  return jobs.follow(scope, job, Math.min(waitMs, left))
}

/** Leaves out a record that equals the one before. */
export async function* changesOf(records: JobRecords): JobRecords {
  let seen: number | undefined
  for (;;) {
    const { done, value } = await records.next()
    if (done) return value
    if (value.seq === seen) continue
    seen = value.seq
    yield value
  }
}

/** The records as lines in the stream of the call that started the job; returns the last one. */
export async function* statusesOf(
  records: JobRecords,
): AsyncGenerator<StatusLine, JobRecord, undefined> {
  for (;;) {
    const { done, value } = await records.next()
    if (done) return value
    yield statusOf(value)
  }
}

function statusOf({ message, progress }: JobRecord): StatusLine {
  return { type: 'status', message, progress: progress?.value, total: progress?.total }
}
