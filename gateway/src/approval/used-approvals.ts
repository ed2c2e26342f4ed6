/**
 * Approvals that were used, so that each permits one call.
 *
 * The store has 4096 places, and an approval's id chooses one: expired ones are removed when a place is written, so
 * nothing has to be swept. On our host one of two uses in the same moment is the first. On Spin, whose key-value store has no
 * operation that compares and sets, both can be.
 */
import { isString } from 'ftl-contract'
import { changeEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'

type Used = [id: string, expires: number]

/** @returns whether this is its first use; it is then recorded. @throws {KeyValueError} */
export async function useOnce(scope: Scope, id: string, expires: number): Promise<boolean> {
  const place = `gateway:approval:${id.slice(0, 3)}`
  const now = scope.platform.now()
  return changeEntry(scope, place, (stored) => {
    const used = (Array.isArray(stored) ? stored : []).filter(isUsed)
    if (used.some(([each]) => each === id)) return undefined
    return JSON.stringify([...used.filter(([, end]) => end > now), [id, expires]])
  })
}

function isUsed(value: unknown): value is Used {
  return Array.isArray(value) && isString(value[0]) && typeof value[1] === 'number'
}
