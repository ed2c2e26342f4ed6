/** Limits how many clients listen for changes at once, because each of them holds an instance of the gateway. */
import { pause } from 'ftl-contract'
import { jsonOf, setJson } from 'ftl-platform'
import type { Scope } from '../../../scope.ts'

/** Clients that may listen at once, all together. */
export const MAX_LISTENERS = 16

/** Milliseconds for which a place stays taken after it was last renewed. */
const LEASE_MS = 5_000

/**
 * Milliseconds after which two requests that took the same place at the same moment see which of them has it. Each of
 * them holds an instance for so long. If that is too short on a busy machine, the other one ends when it renews.
 */
const SETTLE_MS = 20

type Lease = [owner: string, until: number]

/** Keeps the place. @returns `false` when another client has it */
export type Renew = () => Promise<boolean>

/**
 * The places are entries in the key-value store, because instances share nothing else. The store has no transactions:
 * of two requests that take the same place, the later one has it.
 *
 * @returns `undefined` when all places are taken.
 */
export async function takePlace(scope: Scope): Promise<Renew | undefined> {
  const { platform } = scope
  const entries = await scope.store()
  const owner = platform.randomUUID()
  for (let place = 0; place < MAX_LISTENERS; place++) {
    const key = `listener:${place}`
    const lease = async (): Promise<Partial<Lease>> => jsonOf(await entries.get(key)) ?? []
    const take = () => setJson(entries, key, [owner, platform.now() + LEASE_MS])
    const renew = async () => {
      const isOwn = (await lease())[0] === owner
      if (isOwn) await take()
      return isOwn
    }
    const [, until = 0] = await lease()
    const left = until - platform.now()
    // More than a whole lease is left when the clock was set back.
    if (left > 0 && left <= LEASE_MS) continue
    await take()
    await pause(SETTLE_MS, scope.signal)
    if (await renew()) return renew
  }
  return undefined
}
