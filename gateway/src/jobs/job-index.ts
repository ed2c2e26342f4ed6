/**
 * Which jobs there are: sixteen entries of the store, one for each first digit of an id. They say when a job expires, so
 * that it is deleted, and whose it is, so that a list of a caller's jobs reads few records of others.
 */
import type { JobRecord } from 'ftl-contract'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'

/** Times are milliseconds since the epoch. Earlier versions wrote the first two members only. */
type IndexEntry = [id: string, expires: number, created?: number, tag?: string]

/** A job as the index has it. */
export interface IndexedJob {
  id: string
  expires: number
  /** 0 if an earlier version has written it. */
  created: number
  /** See {@link ownerTag}. */
  tag: string | undefined
}

/** Maximum entries of one list, each about 80 characters; a job that finds it full is not listed, and stays until it is read. */
const LIST_LIMIT = 8000

/** Maximum records deleted for one that is added. */
const SWEEP_LIMIT = 20

const DIGITS = '0123456789abcdef'

/**
 * Adds a job, and takes out some that have expired.
 *
 * Two instances that write the same list at once lose an entry at worst: that job is not listed, and its record stays
 * until it is read.
 *
 * @returns ids of the jobs whose records are to be deleted.
 */
export async function addToIndex(scope: Scope, job: JobRecord): Promise<readonly string[]> {
  const { id, expiresAt, createdAt, owner } = job
  const key = keyOf(id.slice(0, 1))
  const list = await loadList(scope, key)
  const now = scope.platform.now()
  const over = list.filter(([, expires]) => expires <= now).slice(0, SWEEP_LIMIT)
  const left = list.filter((entry) => !over.includes(entry))
  if (left.length < LIST_LIMIT) {
    left.push([id, Date.parse(expiresAt), Date.parse(createdAt), ownerTag(owner)])
  }
  await saveEntry(scope, key, JSON.stringify(left))
  return over.map(([expired]) => expired)
}

/** All jobs that have not expired, in no order. */
export async function indexedJobs(scope: Scope): Promise<IndexedJob[]> {
  const lists = await Promise.all([...DIGITS].map((digit) => loadList(scope, keyOf(digit))))
  const now = scope.platform.now()
  return lists
    .flat()
    .filter(([, expires]) => expires > now)
    .map(([id, expires, created = 0, tag]) => ({ id, expires, created, tag }))
}

/** A short text that differs for most owners. It only spares reading records: the record decides whose a job is. */
export function ownerTag(owner: string | undefined): string {
  if (owner === undefined) return ''
  let hash = 0x811c9dc5
  for (let at = 0; at < owner.length; at++) {
    hash = Math.imul(hash ^ owner.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}

const keyOf = (digit: string) => `gateway:jobs:${digit}`

async function loadList(scope: Scope, key: string): Promise<IndexEntry[]> {
  return ((await loadEntry(scope, key)) ?? []) as IndexEntry[]
}
