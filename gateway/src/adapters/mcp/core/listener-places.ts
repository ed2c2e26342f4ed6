/** Limits how many clients listen for changes at once, because each of them holds an instance of the gateway. */
import { pause } from 'ftl-contract'
import { jsonOf, setJson } from 'ftl-platform'
import type { Scope } from '../../../scope.ts'

/** Clients that may listen at once, all together. */
export const MAX_LISTENERS = 16

/** Of these, places of one user, and of all clients without a user together, where users sign in. */
const MAX_OF_ONE = 8

/** Milliseconds for which a place stays taken after it was last renewed. */
const LEASE_MS = 5_000

/**
 * Milliseconds after which two requests that took the same place at the same moment see which of them has it. Each of
 * them holds an instance for so long. If that is too short on a busy machine, the other one ends when it renews.
 */
const SETTLE_MS = 20

type Lease = [owner: string, until: number, principal: string]

/** Keeps the place. @returns `false` when another client has it */
export type Renew = () => Promise<boolean>

/**
 * The places are entries in the key-value store, because instances share nothing else. The store has no transactions:
 * of two requests that take the same place, the later one has it.
 *
 * @returns `undefined` when all places are taken.
 */
export async function takePlace(scope: Scope): Promise<Renew | undefined> {
  const { platform, principal = '' } = scope
  const entries = await scope.store()
  const owner = platform.randomUUID()
  const free: number[] = []
  let own = 0
  for (let place = 0; place < MAX_LISTENERS; place++) {
    const [, until = 0, holder] = await lease(place)
    const left = until - platform.now()
    // More than a whole lease is left when the clock was set back.
    if (left <= 0 || left > LEASE_MS) free.push(place)
    else if (holder === principal) own++
  }
  if (scope.permissions && own >= MAX_OF_ONE) return undefined
  for (const place of free) {
    await take(place)
    await pause(SETTLE_MS, scope.connection.signal)
    if (await renew(place)) return () => renew(place)
  }
  return undefined

  async function lease(place: number): Promise<Partial<Lease>> {
    return jsonOf(await entries.get(keyOf(place))) ?? []
  }

  function take(place: number): Promise<void> {
    return setJson(entries, keyOf(place), [owner, platform.now() + LEASE_MS, principal])
  }

  async function renew(place: number): Promise<boolean> {
    const isOwn = (await lease(place))[0] === owner
    if (isOwn) await take(place)
    return isOwn
  }
}

function keyOf(place: number): string {
  return `listener:${place}`
}

/** Milliseconds between two looks at the lists. */
export const POLL_MS = 1_000

/** Whether this client's instance is to list now, for all clients that listen. Each asks once a second; one gets `true`. */
export async function isTurn(scope: Scope): Promise<boolean> {
  const { platform, only = '*' } = scope
  const entries = await scope.store()
  const key = `listed:${only}`
  const now = platform.now()
  const left = (jsonOf<number>(await entries.get(key)) ?? 0) + POLL_MS - now
  const isNow = left <= 0 || left > POLL_MS
  if (isNow) await setJson(entries, key, now)
  return isNow
}
