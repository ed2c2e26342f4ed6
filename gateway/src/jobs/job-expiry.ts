/**
 * Which records expire when, so that those that are not read again are deleted without looking at every key.
 *
 * Each list holds the jobs whose ids begin with the same digit. Who adds one deletes some of the list that have expired.
 * Two instances that write the same list at once lose an entry, at worst: that record stays until it is read.
 */
import type { JobRecord } from 'ftl-contract'
import { logError } from '../log.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { forgetJob } from './kept-jobs.ts'

/** Records deleted at most for one that is added. */
const SWEEP_LIMIT = 20

/** Entries of one list, each about 60 characters; a job that finds it full stays until it is read. */
const LIST_LIMIT = 8000

type Expiry = [id: string, at: number]

/** Notes when the job expires, and deletes others that have. Never throws. */
export async function noteExpiry(scope: Scope, { id, expiresAt }: JobRecord): Promise<void> {
  try {
    const key = `gateway:jobs:${id.slice(0, 1)}`
    const list = ((await loadEntry(scope, key)) ?? []) as Expiry[]
    const now = scope.platform.now()
    const over = list.filter(([, at]) => at <= now).slice(0, SWEEP_LIMIT)
    for (const [expired] of over) await forgetJob(scope, expired)
    const left = list.filter((entry) => !over.includes(entry))
    if (left.length < LIST_LIMIT) left.push([id, Date.parse(expiresAt)])
    await saveEntry(scope, key, JSON.stringify(left))
  } catch (error) {
    logError(scope, `the end of job ${id} was not noted`, error)
  }
}
