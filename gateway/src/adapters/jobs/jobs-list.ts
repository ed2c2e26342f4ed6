/** `GET /jobs`: the caller's jobs, or with `of=all` those of all callers, for who may observe them. */
import { STATUSES } from '../../jobs/job-record.ts'
import type { JobRecord } from 'ftl-contract'
import { isJobId, isString } from 'ftl-contract'
import { addressOf, failure, uncached } from 'ftl-http'
import { refuseObserver } from '../../access/may-observe.ts'
import type { JobQuery, PageEnd } from '../../jobs/list-jobs.ts'
import { listJobs } from '../../jobs/list-jobs.ts'
import type { Scope } from '../../scope.ts'

const FORBIDDEN = { code: 'jobs_forbidden', name: 'the list of jobs' }

const WANTED = ['running', ...STATUSES]
const NAMES = ['of', 'status', 'tool', 'component', 'limit', 'after']
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100
const MAX_TEXT = 256

export async function answerList(request: Request, scope: Scope): Promise<Response> {
  const query = parseQuery(new URLSearchParams(addressOf(request).search))
  if (isString(query)) return failure(400, 'invalid_request', query)
  // Without a name, every caller has the same jobs, and an id is all that protects one.
  if (query.isAll || scope.principal === undefined) {
    const refusal = refuseObserver(request, scope, FORBIDDEN)
    scope.hooks.noted(scope, { kind: 'observed', request, action: 'GET /jobs', refusal })
    if (refusal) return refusal
  }
  const { jobs, next } = await listJobs(scope, query)
  return uncached({
    jobs: jobs.map((job) => shown(job, scope)),
    next: next && `${next.created}.${next.id}`,
  })
}

/** Without the result, which can be a megabyte, and questions, which are for the caller. */
function shown(job: JobRecord, { principal }: Scope): object {
  const { id, tool, component, status, message, progress, error, owner } = job
  const { createdAt, updatedAt, expiresAt } = job
  const isOwn = owner === principal
  return {
    ...{ id, tool, component, status, message, progress, createdAt, updatedAt, expiresAt },
    // The data of an error can be part of a result.
    error: error && { code: error.code, message: error.message },
    owner,
    isOwn,
  }
}

/** @returns a text for the client if the address is not valid. */
function parseQuery(parameters: URLSearchParams): JobQuery | string {
  for (const [name, value] of parameters) {
    if (!NAMES.includes(name)) return `"${name.slice(0, 50)}" must be one of ${NAMES.join(', ')}`
    if (value.length > MAX_TEXT) return `"${name}" must be at most ${MAX_TEXT} characters`
  }
  const of = parameters.get('of') ?? 'me'
  if (of !== 'me' && of !== 'all') return '"of" must be me or all'
  const status = parameters.get('status') || undefined
  if (status !== undefined && !WANTED.includes(status)) {
    return `"status" must be one of ${WANTED.join(', ')}`
  }
  const limit = parameters.get('limit') ?? String(DEFAULT_LIMIT)
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT) {
    return `"limit" must be a whole number from 1 to ${MAX_LIMIT}`
  }
  const end = parameters.get('after') || undefined
  const after = end === undefined ? undefined : parseEnd(end)
  if (end !== undefined && !after) return '"after" must be the member "next" of an earlier page'
  return {
    isAll: of === 'all',
    status,
    tool: parameters.get('tool') || undefined,
    component: parameters.get('component') || undefined,
    limit: Number(limit),
    after,
  }
}

function parseEnd(text: string): PageEnd | undefined {
  const [, created = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? []
  return created !== '' && isJobId(id) ? { created: Number(created), id } : undefined
}
