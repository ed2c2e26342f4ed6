/**
 * Approvals that were used, so that each permits one call.
 *
 * The store has 4096 places, and an approval's id chooses one: expired ones are removed when a place is written, so
 * nothing has to be swept. A key-value store has no operation that compares and sets, so two uses of one approval in the
 * same moment, or in two regions, can both be the first.
 */
import { isString } from 'ftl-http'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'

type Used = [id: string, expires: number]

/** @returns whether this is its first use; it is then recorded. @throws {KeyValueError} */
export async function useOnce(scope: Scope, id: string, expires: number): Promise<boolean> {
  const place = `gateway:approval:${id.slice(0, 3)}`
  const now = scope.platform.now()
  const stored = await loadEntry(scope, place)
  const used = (Array.isArray(stored) ? stored : []).filter(isUsed)
  if (used.some(([each]) => each === id)) return false
  const kept = [...used.filter(([, end]) => end > now), [id, expires]]
  await saveEntry(scope, place, JSON.stringify(kept))
  return true
}

function isUsed(value: unknown): value is Used {
  return Array.isArray(value) && isString(value[0]) && typeof value[1] === 'number'
}
