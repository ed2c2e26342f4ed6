/**
 * `GET /jobs/{id}/events`: a job as it goes on, as server-sent events or, by `Accept`, one JSON document a line.
 *
 * `status` any number of times, then exactly one `result` or `error`. A request after the end gets only the last.
 */
import { isoTime } from '../../iso-time.ts'
import { isFinal, jobLinkIn, type JobRecord } from 'ftl-contract'
import { acceptedForm, addressOf, eventStream } from 'ftl-http'
import { originOf } from '../../calls/client-request.ts'
import { changesOf, followToExpiry } from '../../calls/follow-job.ts'
import { outcomeOfJob } from '../../invoke/answer.ts'
import { withAbsoluteOutputs } from '../../invoke/output-links.ts'
import type { JobReader } from '../../jobs/job-reader.ts'
import type { RouteContext } from '../../routes.ts'

export async function answerEvents(
  jobs: JobReader,
  { request, scope, param }: RouteContext,
): Promise<Response | undefined> {
  const job = await jobs.read(scope, param)
  if (!job) return undefined
  const origin = originOf(request)
  const ownLink = jobLinkIn(addressOf(request).search)
  // A request by link gets no other one, which would be valid for longer.
  const links = ownLink === undefined ? scope.links : new Map([[param, ownLink]])
  const line = (type: string, { status }: JobRecord, more: object) => {
    const timestamp = isoTime(scope.platform.now())
    return { type, id: param, status, ...more, timestamp }
  }
  const form = acceptedForm(request, () => line('heartbeat', job, {}))
  return eventStream(events(job), () => scope.connection.leave(), form)

  async function* events(first: JobRecord): AsyncGenerator<object> {
    const records = changesOf(followToExpiry(jobs, scope, first))
    for (;;) {
      const { done, value } = await records.next()
      if (done) {
        yield end(value)
        return
      }
      const { message, progress } = value
      yield line('status', value, { message, progress: progress?.value, total: progress?.total })
    }
  }

  function end(last: JobRecord): object {
    const outcome = outcomeOfJob(last)
    if (outcome.kind === 'result') {
      return line('result', last, {
        result: withAbsoluteOutputs(outcome.result, origin, links),
      })
    }
    const message = isFinal(last) && 'message' in outcome ? outcome.message : 'The job has expired.'
    return line('error', last, { message, code: last.error?.code })
  }
}
