/** A job as the events of the call that started it. */
import { isFinal, type JobRecord, type StatusLine } from 'ftl-contract'
import { outcomeOfJob } from '../../../invoke/answer.ts'
import type { CallEvents } from '../../../invoke/outcome.ts'
import { type Exchange, originOf } from '../exchange.ts'
import { jobHandle } from './job-handle.ts'

/** Waits for the job's end as long as clients can be expected to, or as this one says, then gives a handle. */
export async function* jobEvents(
  exchange: Exchange,
  job: JobRecord,
  waitMs = Infinity,
): CallEvents {
  const { gateway, scope, request } = exchange
  const records = gateway.jobs.follow(scope, job, Math.min(waitMs, scope.settings.waitLimitMs))
  for (;;) {
    const { done, value } = await records.next()
    if (done) {
      if (isFinal(value)) return outcomeOfJob(value)
      return { kind: 'result', result: jobHandle(value, originOf(request)) }
    }
    yield statusOf(value)
  }
}

function statusOf({ message, progress }: JobRecord): StatusLine {
  return {
    type: 'status',
    ...(message !== undefined && { message }),
    ...(progress && { progress: progress.value }),
    ...(progress?.total !== undefined && { total: progress.total }),
  }
}
