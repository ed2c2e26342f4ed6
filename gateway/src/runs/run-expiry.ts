/** Deletes runs: at their end, and when they have expired without one. */
import { logError } from '../log.ts'
import { ownerTag } from '../jobs/job-index.ts'
import type { Scope } from '../scope.ts'
import { BLOCK, forgetEntries, RUNS, takeRoom } from '../store-shares.ts'
import { callKey, type KeptRun, runKey } from './kept-run.ts'

/** From here on its capability is of no use, and a reader finds nothing to start again. */
export async function endRun(scope: Scope, id: string): Promise<void> {
  await (await scope.store()).delete(runKey(id))
  scope.platform.waitUntil(
    forgetRun(scope, id).catch((error: unknown) => logError(scope, `run ${id} not deleted`, error)),
  )
}

async function forgetRun(scope: Scope, id: string): Promise<void> {
  const store = await scope.store()
  const hasRoom = await store.exists(roomKey(id))
  await forgetEntries(scope, RUNS, id)
  if (hasRoom) await takeRoom(scope, RUNS, [id, 0, 0, '', 0])
}

/** Says that the run has room, so that the end of one that has none reads nothing of all runs. */
const roomKey = (id: string) => callKey(id, 0)

/** Bytes that a run counts for that outlives its request: its call, and the short results of its first calls. */
const BASE = 64 * BLOCK

/**
 * Takes room for a run that outlives its request, or for a call that needs more; deletes others that have expired.
 *
 * @throws {StoreFull}
 */
export async function takeRunRoom(
  scope: Scope,
  { id, owner, startedAt, expiresAt }: KeptRun,
  bytes = 0,
): Promise<void> {
  await takeRoom(scope, RUNS, [id, expiresAt, startedAt, ownerTag(owner), bytes], BASE)
  await (await scope.store()).set(roomKey(id), '1')
}

/** Room for the entry by which a later job leads to its run. It stays until the run would expire. @throws {StoreFull} */
export async function takeJobRoom(
  scope: Scope,
  { id, job, owner, startedAt, expiresAt }: KeptRun,
): Promise<void> {
  if (job === undefined || job === id) return
  await takeRoom(scope, RUNS, [job, expiresAt, startedAt, ownerTag(owner), BLOCK])
}
