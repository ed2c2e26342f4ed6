/**
 * Limits how often pass phrases are tried: for a user, and for an address. Attempts are counted before a pass phrase is
 * checked, so requests at the same time are counted, too.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import type { Vault } from '../vault.ts'

/** Of all addresses with the same first digits of their digest. */
export const MOST_OF_ADDRESS = 20
/** More, so that one address alone cannot keep a user out. */
export const MOST_OF_USER = 100
export const WINDOW_MS = 15 * 60_000

/** Addresses are without number, so they share entries. */
const ADDRESS_DIGITS = 3

export interface Attempt {
  isAllowed: boolean
  /** Seconds until the next attempt is allowed. */
  retryAfter: number
}

interface Tries {
  since: number
  count: number
}

function triesIn(value: unknown, now: number): Tries {
  if (!isObject(value)) return { since: now, count: 0 }
  const { since, count } = value
  const isCurrent =
    typeof since === 'number' &&
    typeof count === 'number' &&
    since <= now &&
    now - since < WINDOW_MS
  return isCurrent ? { since, count } : { since: now, count: 0 }
}

/** @param user whose attempt it is: for a name that no user has, that of the stand-in. */
export async function countAttempt(
  vault: Vault,
  now: number,
  { user, address }: { user: string; address: string },
): Promise<Attempt> {
  const bucket = (await sha256(address)).slice(0, ADDRESS_DIGITS)
  const of = (await sha256(user)).slice(0, 32)
  const limits = [
    [`auth:tries:address:${bucket}`, MOST_OF_ADDRESS],
    [`auth:tries:user:${of}`, MOST_OF_USER],
  ] as const
  for (const [key, most] of limits) {
    const tries = await vault.change(key, (value) => {
      const { since, count } = triesIn(value, now)
      const more = { since, count: count + 1 }
      return { value: count < most ? more : undefined, result: more }
    })
    if (tries.count > most) {
      return { isAllowed: false, retryAfter: Math.ceil((tries.since + WINDOW_MS - now) / 1000) }
    }
  }
  return { isAllowed: true, retryAfter: 0 }
}
