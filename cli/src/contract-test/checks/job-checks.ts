/** Checks of jobs. */
import { isObject } from 'ftl-contract'
import { assertNone, Violation, type Check, NotApplicable } from '../check.ts'
import { shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import type { Subject } from '../subject.ts'

const STATUSES = /^(working|input_required|completed|failed|cancelled)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const section = 'jobs'
/** The id of no job. */
const UNKNOWN_JOB = '/jobs/00000000-0000-4000-8000-00000000ffff'

/** The jobs that the component started for the sample calls. */
const started = new WeakMap<Subject, Promise<Record<string, unknown>[]>>()

export const JOB_CHECKS: Check[] = [
  {
    id: 'jobs.unknown',
    rule: 'a request for an unknown job returns 404',
    section,
    fix: 'Return 404 for GET and DELETE /jobs/{id} unless your component stores a record with this id.',
    async run(subject) {
      await subject.offer()
      const problems: string[] = []
      for (const method of ['GET', 'DELETE']) {
        const { status, request } = await subject.ask(UNKNOWN_JOB, { method })
        if (status !== 404) problems.push(`${request} returned ${status}`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'jobs.record',
    rule: 'a response with status 202 contains the complete job record',
    section,
    fix: 'Return { "job": { id (UUIDv4), component, tool, status, seq, createdAt, updatedAt, expiresAt, pollIntervalMs } }.',
    async run(subject) {
      assertNone((await jobsOf(subject)).flatMap((job) => recordProblem(job) ?? []))
    },
  },
  {
    id: 'jobs.read',
    rule: 'GET /jobs/{id} returns the record of that job, and never an older version',
    section,
    fix: 'Return the record stored under job:{id}. Refresh it if it is older than pollIntervalMs, and increase "seq" with every change.',
    async run(subject) {
      const problems: string[] = []
      for (const job of await jobsOf(subject)) {
        const { status, json, request } = await subject.ask(`/jobs/${String(job.id)}`)
        if (status !== 200) problems.push(`${request} returned ${status}`)
        else if (!isObject(json) || json.id !== job.id)
          problems.push(`${request} returned another job`)
        else if (Number(json.seq) < Number(job.seq)) {
          problems.push(`${request} returned seq ${String(json.seq)} after ${String(job.seq)}`)
        } else problems.push(...(recordProblem(json) ?? []))
      }
      assertNone(problems)
    },
  },
  {
    id: 'jobs.cancel',
    rule: 'DELETE /jobs/{id} returns the record, and a second DELETE does not change it',
    section,
    fix: 'A final status never changes: return the unchanged record for a second DELETE.',
    async run(subject) {
      const problems: string[] = []
      for (const job of await jobsOf(subject)) {
        const path = `/jobs/${String(job.id)}`
        const first = await subject.ask(path, { method: 'DELETE' })
        const second = await subject.ask(path, { method: 'DELETE' })
        const [before, after] = [first, second].map(({ json }) =>
          isObject(json) ? json.status : undefined,
        )
        if (first.status !== 200 || second.status !== 200) {
          problems.push(`${first.request} returned ${first.status}, then ${second.status}`)
        } else if (isFinal(before) && before !== after) {
          problems.push(
            `${first.request}: the status "${String(before)}" changed to "${String(after)}"`,
          )
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
    if (!isObject(json) || !isObject(json.job)) {
      throw new Violation(`${answer.request} returned 202 without a job: ${shorten(answer.text)}`)
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
      : [`"id" is ${JSON.stringify(id)} and must be a UUIDv4`]),
    ...(STATUSES.test(String(status))
      ? []
      : [`"status" is ${JSON.stringify(status)}, which the contract does not define`]),
    ...['component', 'tool']
      .filter((key) => typeof job[key] !== 'string')
      .map((key) => `"${key}" is missing`),
    ...['createdAt', 'updatedAt', 'expiresAt']
      .filter((key) => Number.isNaN(Date.parse(String(job[key]))))
      .map((key) => `"${key}" must be an ISO 8601 time`),
    ...(Number.isInteger(seq) ? [] : ['"seq" must be a whole number']),
    ...(Number(pollIntervalMs) > 0 ? [] : ['"pollIntervalMs" must be a number of milliseconds']),
  ]
  if (status === 'completed') problems.push(...[resultProblem(result) ?? []].flat())
  if (status === 'failed' && !isObject(job.error))
    problems.push('"error" is missing although the status is "failed"')
  return problems.length > 0 ? problems.map((problem) => `the job record: ${problem}`) : undefined
}

function isFinal(status: unknown): boolean {
  return ['completed', 'failed', 'cancelled'].includes(String(status))
}
