/** Pages of the jobs that a caller may see, the newest first. Nothing is refreshed: the list reads what is stored. */
import { isFinal, type JobRecord } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import { type IndexedJob, indexedJobs, ownerTag } from './job-index.ts'
import { storedJob } from './kept-jobs.ts'

export interface JobQuery {
  /** Jobs of all callers. @default those of the caller */
  isAll: boolean
  /** A status of a job, or `running`. */
  status: string | undefined
  tool: string | undefined
  component: string | undefined
  /** Most jobs of a page. */
  limit: number
  /** The end of the page before. */
  after: PageEnd | undefined
}

/** The last job that a page has looked at. */
export interface PageEnd {
  created: number
  id: string
}

export interface JobPage {
  jobs: readonly JobRecord[]
  /** `undefined` after the last page. A page with a filter may have few jobs, or none, and a next one. */
  next: PageEnd | undefined
}

/** Maximum records that one page reads: each is a call of the store, and may be a megabyte. */
const READ_LIMIT = 200

/** Records that are read at once. */
const BATCH = 10

export async function listJobs(scope: Scope, query: JobQuery): Promise<JobPage> {
  const { principal } = scope
  const tag = ownerTag(principal)
  const isCandidate = (job: IndexedJob) =>
    (query.isAll || job.tag === tag) && isAfter(job, query.after)
  const candidates = (await indexedJobs(scope)).filter(isCandidate).sort(newestFirst)
  const jobs: JobRecord[] = []
  let next: PageEnd | undefined
  let at = 0
  while (at < Math.min(candidates.length, READ_LIMIT) && jobs.length < query.limit) {
    const batch = candidates.slice(at, at + Math.min(BATCH, READ_LIMIT - at))
    const records = await Promise.all(batch.map(({ id }) => storedJob(scope, id)))
    for (const [index, record] of records.entries()) {
      if (jobs.length === query.limit) break
      next = batch[index]
      at++
      if (!record || !isWanted(record, query)) continue
      if (query.isAll || record.owner === principal) jobs.push(record)
    }
  }
  return { jobs, next: at < candidates.length ? next : undefined }
}

function isWanted(job: JobRecord, { status, tool, component }: JobQuery): boolean {
  const isOfStatus =
    status === undefined || (status === 'running' ? !isFinal(job) : job.status === status)
  return (
    isOfStatus &&
    (tool === undefined || job.tool === tool) &&
    (component === undefined || job.component === component)
  )
}

const newestFirst = (a: IndexedJob, b: IndexedJob) =>
  b.created - a.created || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

function isAfter(job: IndexedJob, end: PageEnd | undefined): boolean {
  if (!end) return true
  return job.created < end.created || (job.created === end.created && job.id > end.id)
}
