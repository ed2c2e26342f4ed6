/**
 * Which jobs there are: in the book of each component (store-shares.ts). It says whose a job is, so that a list of a caller's jobs reads
 * few records of others.
 */
import { fnv1a, type JobRecord } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import { bytesInBlocks, itemsOf, takeRoom } from '../store-shares.ts'

/** A job as the index has it. */
export interface IndexedJob {
  id: string
  /** Milliseconds since the epoch. */
  created: number
  /** See {@link ownerTag}. */
  tag: string
}

/**
 * Takes room for the record of a job, before it is stored.
 *
 * @param json the record, or '' if it is no longer kept.
 * @throws {StoreFull}
 */
export function indexJob(scope: Scope, job: JobRecord, json: string): Promise<void> {
  const { id, component, expiresAt, createdAt, owner } = job
  return takeRoom(scope, component, [
    id,
    Date.parse(expiresAt),
    Date.parse(createdAt),
    ownerTag(owner),
    bytesInBlocks(json),
  ])
}

/** All jobs that have not expired, in no order. */
export async function indexedJobs(scope: Scope): Promise<IndexedJob[]> {
  const components = [...scope.settings.toolComponents.keys()]
  const lists = await Promise.all(components.map((component) => itemsOf(scope, component)))
  const now = scope.platform.now()
  return lists
    .flat()
    .filter(([, expires]) => expires > now)
    .map(([id, , created, tag]) => ({ id, created, tag }))
}

/** A short text that differs for most owners. It only spares reading records: the record decides whose a job is. */
export function ownerTag(owner: string | undefined): string {
  return owner === undefined ? '' : fnv1a(owner).toString(36)
}
