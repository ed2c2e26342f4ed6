/** Deletes runs: at their end, and when they have expired without one. */
import { logError } from '../log.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { callKey } from './journal.ts'
import { requestKey, runKey } from './kept-run.ts'

/** From here on its capability is of no use, and a reader finds nothing to start again. */
export async function endRun(scope: Scope, id: string): Promise<void> {
  await (await scope.store()).delete(runKey(id))
  scope.platform.waitUntil(
    forgetRun(scope, id).catch((error: unknown) => logError(scope, `run ${id} not deleted`, error)),
  )
}

/** Missing entries in a row after which no more are looked for: calls run side by side, so there may be gaps. */
const GAP = 16

async function forgetRun(scope: Scope, id: string): Promise<void> {
  const store = await scope.store()
  await store.delete(runKey(id))
  await store.delete(requestKey(id))
  for (let seq = 1, missing = 0; missing < GAP; seq++) {
    const key = callKey(id, seq)
    missing = (await store.exists(key)) ? 0 : missing + 1
    if (missing === 0) await store.delete(key)
  }
}

/** Maximum runs deleted for one that is added. */
const SWEEP_LIMIT = 5

/** Maximum entries of one list; a run that finds it full stays if nothing ends it. */
const LIST_LIMIT = 8000

type Expiry = [id: string, at: number]

/**
 * Notes when a run expires that outlives its request, and deletes others that have expired. Never throws.
 *
 * Each list has the runs whose ids begin with the same digit, as in jobs/kept-jobs.ts.
 */
export async function noteRunExpiry(
  scope: Scope,
  { id, expiresAt }: { id: string; expiresAt: number },
): Promise<void> {
  try {
    const key = `gateway:runs:${id.slice(0, 1)}`
    const list = ((await loadEntry(scope, key)) ?? []) as Expiry[]
    const now = scope.platform.now()
    const over = list.filter(([, at]) => at <= now).slice(0, SWEEP_LIMIT)
    for (const [expired] of over) await forgetRun(scope, expired)
    const left = list.filter((entry) => !over.includes(entry))
    const isNoted = left.some(([noted]) => noted === id)
    if (!isNoted && left.length < LIST_LIMIT) left.push([id, expiresAt])
    await saveEntry(scope, key, JSON.stringify(left))
  } catch (error) {
    logError(scope, `the expiry of run ${id} was not noted`, error)
  }
}
