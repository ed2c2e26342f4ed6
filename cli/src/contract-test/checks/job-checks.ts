/** Of slow work. */
import { assertNone, Broken, type Check, NotApplicable } from '../check.ts'
import { isRecord, shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import type { Subject } from '../subject.ts'

const STATUSES = /^(working|input_required|completed|failed|cancelled)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const section = 'jobs'
/** No job has it. */
const NOBODY = '/jobs/00000000-0000-4000-8000-00000000ffff'

/** The jobs the component started when it was allowed to. */
const started = new WeakMap<Subject, Promise<Record<string, unknown>[]>>()

export const JOB_CHECKS: Check[] = [
  {
    id: 'jobs.unknown',
    holds: 'a job it does not know is answered 404',
    section,
    todo: 'Answer GET and DELETE /jobs/{id} with 404 unless the record is there and is yours.',
    async run(subject) {
      await subject.offer()
      const problems: string[] = []
      for (const method of ['GET', 'DELETE']) {
        const { status, request } = await subject.ask(NOBODY, { method })
        if (status !== 404) problems.push(`${request} was answered ${status}`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'jobs.record',
    holds: 'an answer 202 has the whole job record',
    section,
    todo: 'Answer { "job": { id (UUIDv4), component, tool, status, seq, createdAt, updatedAt, expiresAt, pollIntervalMs } }.',
    async run(subject) {
      assertNone((await jobsOf(subject)).flatMap((job) => recordProblem(job) ?? []))
    },
  },
  {
    id: 'jobs.read',
    holds: 'GET /jobs/{id} gives the record of that job, and never an older one',
    section,
    todo: 'Answer with the record under job:{id}, refreshed when it is older than pollIntervalMs; "seq" grows with every change.',
    async run(subject) {
      const problems: string[] = []
      for (const job of await jobsOf(subject)) {
        const { status, json, request } = await subject.ask(`/jobs/${String(job.id)}`)
        if (status !== 200) problems.push(`${request} was answered ${status}`)
        else if (!isRecord(json) || json.id !== job.id) problems.push(`${request} is another job`)
        else if (Number(json.seq) < Number(job.seq)) {
          problems.push(`${request}: seq ${String(json.seq)} after ${String(job.seq)}`)
        } else problems.push(...(recordProblem(json) ?? []))
      }
      assertNone(problems)
    },
  },
  {
    id: 'jobs.cancel',
    holds: 'DELETE /jobs/{id} gives the record, and a second one changes nothing',
    section,
    todo: 'A final status never changes again: answer a second DELETE with the record as it is.',
    async run(subject) {
      const problems: string[] = []
      for (const job of await jobsOf(subject)) {
        const path = `/jobs/${String(job.id)}`
        const first = await subject.ask(path, { method: 'DELETE' })
        const second = await subject.ask(path, { method: 'DELETE' })
        const [before, after] = [first, second].map(({ json }) =>
          isRecord(json) ? json.status : undefined,
        )
        if (first.status !== 200 || second.status !== 200) {
          problems.push(`${first.request} was answered ${first.status}, then ${second.status}`)
        } else if (isFinal(before) && before !== after) {
          problems.push(`${first.request}: "${String(before)}" became "${String(after)}"`)
        }
      }
      assertNone(problems)
    },
  },
]

function jobsOf(subject: Subject): Promise<Record<string, unknown>[]> {
  let jobs = started.get(subject)
  if (!jobs) started.set(subject, (jobs = startJobs(subject)))
  return jobs
}

async function startJobs(subject: Subject): Promise<Record<string, unknown>[]> {
  const jobs: Record<string, unknown>[] = []
  for (const tool of await subject.tools()) {
    const answer = await subject.sample(tool)
    if (answer.status !== 202) continue
    const { json } = answer
    if (!isRecord(json) || !isRecord(json.job)) {
      throw new Broken(`${answer.request} was answered 202 without a job: ${shorten(answer.text)}`)
    }
    jobs.push(json.job)
  }
  if (jobs.length === 0) throw new NotApplicable('no tool started a job')
  return jobs
}

function recordProblem(job: Record<string, unknown>): string[] | undefined {
  const { id, status, seq, pollIntervalMs, result } = job
  const problems = [
    ...(typeof id === 'string' && UUID.test(id)
      ? []
      : [`its id is ${JSON.stringify(id)}, no UUIDv4`]),
    ...(STATUSES.test(String(status)) ? [] : [`its status is ${JSON.stringify(status)}`]),
    ...['component', 'tool']
      .filter((key) => typeof job[key] !== 'string')
      .map((key) => `it has no "${key}"`),
    ...['createdAt', 'updatedAt', 'expiresAt']
      .filter((key) => Number.isNaN(Date.parse(String(job[key]))))
      .map((key) => `"${key}" must be an ISO 8601 time`),
    ...(Number.isInteger(seq) ? [] : ['"seq" must be a whole number']),
    ...(Number(pollIntervalMs) > 0 ? [] : ['"pollIntervalMs" must be a number of milliseconds']),
  ]
  if (status === 'completed') problems.push(...[resultProblem(result) ?? []].flat())
  if (status === 'failed' && !isRecord(job.error)) problems.push('it failed without an "error"')
  return problems.length > 0 ? problems.map((problem) => `the job record: ${problem}`) : undefined
}

function isFinal(status: unknown): boolean {
  return ['completed', 'failed', 'cancelled'].includes(String(status))
}
