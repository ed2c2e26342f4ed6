/** Requests to the component that owns a job. */
import { type JobRecord, PRINCIPAL_HEADER } from 'ftl-contract'
import { discard, readText, withDeadline } from 'ftl-http'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { fetchComponent, ANSWER_LIMIT } from '../component-fetch.ts'
import { dropReserved } from '../reserved-meta.ts'
import { isJobRecord } from './job-record.ts'

/** Milliseconds the owner has for one answer. It may have to ask another server. */
const OWNER_TIMEOUT_MS = 10_000

/** The record as the owner has it now; `gone`: it knows no such job; `unavailable`: no usable answer. */
export type OwnerAnswer = JobRecord | 'gone' | 'unavailable'

export interface OwnerRequest {
  method: 'GET' | 'DELETE' | 'POST'
  body?: string
  /** Milliseconds. @default 10 seconds, which is also the most */
  limitMs?: number
}

export async function askOwner(
  scope: Scope,
  job: JobRecord,
  { method, body, limitMs = OWNER_TIMEOUT_MS }: OwnerRequest,
): Promise<OwnerAnswer> {
  const timeoutMs = Math.min(limitMs, OWNER_TIMEOUT_MS)
  try {
    return await withDeadline(timeoutMs, async (signal) => {
      const headers = {
        ...(job.owner !== undefined && { [PRINCIPAL_HEADER]: job.owner }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const init = { method, headers, timeoutMs, signal, ...(body !== undefined && { body }) }
      const response = await fetchComponent(scope, job.component, `/jobs/${job.id}`, init)
      if (response.status !== 200) {
        discard(response)
        return response.status === 404 ? 'gone' : 'unavailable'
      }
      const text = await readText(response, { limit: ANSWER_LIMIT, signal })
      const answer: unknown = dropReserved(JSON.parse(text))
      // A component answers for its own jobs only.
      return isJobRecord(answer) && answer.id === job.id && answer.component === job.component
        ? answer
        : 'unavailable'
    })
  } catch (error) {
    logError(scope, `job ${job.id} of ${job.component}`, error)
    return 'unavailable'
  }
}
