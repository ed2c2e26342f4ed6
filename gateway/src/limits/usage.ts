/**
 * How much a caller has used in the current minute or day, in the gateway's store.
 *
 * On our host it is exact, also for several hosts with one store. On Spin it is coarse: two instances that count at once
 * count one. The store has 4096 places for each kind, and a caller's
 * digest chooses one, so callers cannot fill it. If two callers share a place, each one begins again after the other.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { changeEntry, loadEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'

export interface Usage {
  count(): Promise<number>
  /** Milliseconds until it begins again. */
  leftMs: number
  /** Counts one more. @returns `false` if there are `limit` already: then nothing is counted. @default no limit */
  add(limit?: number): Promise<boolean>
}

/** Callers who are not known count together. */
const ANYONE = ''

/** @param windowMs a minute or a day: windows begin with multiples of it, so a day begins at midnight UTC. */
export async function usageOf(scope: Scope, kind: string, windowMs: number): Promise<Usage> {
  const who = await sha256(scope.principal ?? ANYONE)
  const key = `gateway:${kind}:${who.slice(0, 3)}`
  const now = scope.platform.now()
  const window = Math.floor(now / windowMs)
  return {
    count: async () => countIn(await loadEntry(scope, key), who, window),
    leftMs: (window + 1) * windowMs - now,
    add: (limit = Infinity) =>
      changeEntry(scope, key, (kept) => {
        const count = countIn(kept, who, window)
        return count >= limit ? undefined : JSON.stringify({ who, window, count: count + 1 })
      }),
  }
}

function countIn(kept: unknown, who: string, window: number): number {
  if (!isObject(kept) || kept.who !== who || kept.window !== window) return 0
  const { count } = kept
  return typeof count === 'number' && count > 0 ? count : 0
}
