/**
 * Limits how often pass phrases are tried, and how often the upstream server and documents of clients are requested: for a
 * user, and for an address.
 * Attempts are counted before anything is checked or asked, so requests at the same time are counted, too.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import type { Vault } from '../vault.ts'

/** Of all addresses with the same first digits of their digest. */
export const MOST_OF_ADDRESS = 20
/** More, so that one address alone cannot keep a user out. */
export const MOST_OF_USER = 100
/** Of all browsers in which the user has signed in before. */
export const MOST_OF_KNOWN = 20
export const WINDOW_MS = 15 * 60_000

/** Requests of one address that ask the upstream server: a sign-in has two. */
export const MOST_VISITS_OF_ADDRESS = 60
/** Of an IPv6 network /48: a sender often has all its networks /64, enough for the limit of all addresses. */
export const MOST_VISITS_OF_SITE = 300
/** Of all addresses together: whatever strangers send, the upstream server is asked no more often. */
export const MOST_VISITS = 3_000
/** Of all browsers in which the user has signed in before. */
export const MOST_VISITS_OF_KNOWN = 60

/** Documents of clients that are requested for one address. */
export const MOST_DOCUMENTS_OF_ADDRESS = 20
/** Of all addresses together. */
export const MOST_DOCUMENTS = 600

/** Addresses are without number, so they share entries. */
const ADDRESS_DIGITS = 3

export interface Attempt {
  isAllowed: boolean
  /** Seconds until the next attempt is allowed. */
  retryAfter: number
}

export const whenAgain = ({ retryAfter }: Attempt) =>
  retryAfter > 60 ? `Try again in ${Math.ceil(retryAfter / 60)} minutes.` : 'Try again in a minute.'

/** Of the answer. */
export const tooMany = ({ retryAfter }: Attempt) => ({
  status: 429,
  headers: { 'retry-after': String(retryAfter) },
})

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

/**
 * An attempt in a browser in which the user has signed in before: strangers cannot use these up, so they cannot keep the
 * user out.
 *
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export async function countKnownAttempt(vault: Vault, now: number, user: string): Promise<Attempt> {
  return count(vault, now, [[`auth:tries:known:${await keyOf(user)}`, MOST_OF_KNOWN]])
}

/** @param user whose attempt it is: for a name that no user has, that of the stand-in. */
export async function countAttempt(
  vault: Vault,
  now: number,
  { user, address }: { user: string; address: string },
): Promise<Attempt> {
  return count(vault, now, [
    [`auth:tries:address:${await bucketOf(address)}`, MOST_OF_ADDRESS],
    [`auth:tries:user:${await keyOf(user)}`, MOST_OF_USER],
  ])
}

/**
 * A request that makes this server ask the upstream one.
 *
 * @param known user who has signed in before in this browser. Strangers cannot use up these.
 */
export async function countVisit(
  vault: Vault,
  now: number,
  { known, address }: { known: string | undefined; address: string },
): Promise<Attempt> {
  if (known !== undefined) {
    const key = `auth:visits:known:${await keyOf(known)}`
    const attempt = await count(vault, now, [[key, MOST_VISITS_OF_KNOWN]])
    if (attempt.isAllowed) return attempt
  }
  const [site] = /^(?:[\da-f]+:){3}/.exec(address) ?? []
  return count(vault, now, [
    [`auth:visits:address:${await bucketOf(address)}`, MOST_VISITS_OF_ADDRESS],
    ...(site ? [[`auth:visits:site:${await bucketOf(site)}`, MOST_VISITS_OF_SITE] as const] : []),
    ['auth:visits:all', MOST_VISITS],
  ])
}

/** A request for the document of a client. @param address of the user. */
export async function countDocument(vault: Vault, now: number, address: string): Promise<Attempt> {
  return count(vault, now, [
    [`auth:documents:address:${await bucketOf(address)}`, MOST_DOCUMENTS_OF_ADDRESS],
    ['auth:documents:all', MOST_DOCUMENTS],
  ])
}

const bucketOf = async (address: string) => (await sha256(address)).slice(0, ADDRESS_DIGITS)

const keyOf = async (user: string) => (await sha256(user)).slice(0, 32)

async function count(
  vault: Vault,
  now: number,
  limits: readonly (readonly [key: string, most: number])[],
): Promise<Attempt> {
  for (const [key, most] of limits) {
    const tries = await vault.change(key, (value) => {
      const { since, count: before } = triesIn(value, now)
      const more = { since, count: before + 1 }
      return { value: before < most ? more : undefined, result: more }
    })
    if (tries.count > most) {
      return { isAllowed: false, retryAfter: Math.ceil((tries.since + WINDOW_MS - now) / 1000) }
    }
  }
  return { isAllowed: true, retryAfter: 0 }
}
