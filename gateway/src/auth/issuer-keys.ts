/**
 * The keys of an authorization server, kept in the gateway's own store.
 *
 * An attacker can invent key ids, so an unknown one makes the gateway request the keys again at most once a minute, for
 * all clients together. Requests for another reason do not count: a key that is new right after a start is found.
 */
import { isObject, pause } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { logError } from '../log.ts'
import { cacheEntry, loadEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { findJwksUri } from './issuer-metadata.ts'
import { fetchJson } from './fetch-json.ts'
import type { Issuer } from './issuers.ts'
import { type PublicJwk, publicJwk } from './jwk.ts'

/** Milliseconds after which keys are requested again, although none is missing. */
const FRESH_MS = 600_000
/** Milliseconds between two requests. */
const PAUSE_MS = 60_000
/** Milliseconds for which keys are used while the issuer cannot be reached. */
const LONGEST_MS = 24 * 3_600_000
/** Milliseconds between two requests after one failed, while no keys are stored. */
const FAILED_PAUSE_MS = 5_000
/** Milliseconds that a request can take: metadata and keys. */
const PENDING_MS = 20_000
/** While another request of this gateway gets the keys: milliseconds between two looks, and how many there are. */
const LOOK_MS = 50
const LOOKS = 40
const KEYS_LIMIT = 100

/** The keys cannot be requested, so the token cannot be judged. The message is for the client. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

interface KeptKeys {
  /**
   * When they were last requested for an unknown key, or in vain, and when received. Milliseconds since the epoch.
   */
  asked: number
  received: number
  /** The request has not ended. */
  pending?: boolean
  keys: PublicJwk[]
}

/**
 * @param has whether the wanted key is among these.
 * @returns keys, which may be without the wanted one.
 * @throws {KeysUnavailable}
 */
export async function keysOf(
  scope: Scope,
  issuer: Issuer,
  has: (keys: readonly PublicJwk[]) => boolean,
): Promise<readonly PublicJwk[]> {
  if (issuer.keys) return issuer.keys
  // When the issuer changes its key, many requests miss it at once, and one of them gets it.
  for (let look = 0; look < LOOKS; look++) {
    const keys = await keysNow(scope, issuer, has)
    if (keys) return keys
    await pause(LOOK_MS)
  }
  throw unavailable()
}

/** @returns `undefined` while another request of this gateway gets them. */
async function keysNow(
  scope: Scope,
  { issuer, jwksUri }: Issuer,
  has: (keys: readonly PublicJwk[]) => boolean,
): Promise<readonly PublicJwk[] | undefined> {
  const entry = `gateway:jwks:${(await sha256(`${issuer} ${jwksUri ?? ''}`)).slice(0, 32)}`
  const kept = readKept(await loadEntry(scope, entry))
  const now = scope.platform.now()
  const age = (time: number) => (time <= now ? now - time : Infinity)
  if (kept && age(kept.received) < FRESH_MS && has(kept.keys)) return kept.keys
  const usable = kept && age(kept.received) < LONGEST_MS ? kept.keys : undefined
  if (kept?.pending && age(kept.asked) < PENDING_MS) {
    return usable && has(usable) ? usable : undefined
  }
  if (kept && age(kept.asked) < (usable ? PAUSE_MS : FAILED_PAUSE_MS)) {
    if (usable) return usable
    throw unavailable()
  }
  const { received, keys: known } = kept ?? { received: 0, keys: [] }
  const keep = (more: Partial<KeptKeys>) =>
    cacheEntry(scope, entry, JSON.stringify({ asked: now, received, keys: known, ...more }))
  // So that a flood of invented key ids makes one request. Without keys no request can be served, so each may ask.
  if (usable) await keep({ pending: true })
  try {
    const set = await fetchJson(scope, jwksUri ?? (await findJwksUri(scope, issuer)))
    const keys = keysIn(set)
    const isForUnknown = usable !== undefined && age(received) < FRESH_MS
    await keep({ received: now, keys, ...(!isForUnknown && { asked: 0 }) })
    return keys
  } catch (error) {
    await keep({})
    const host = new URL(jwksUri ?? issuer).origin
    logError(scope, `the keys of ${issuer} cannot be requested (auth_host must be ${host})`, error)
    if (usable) return usable
    throw unavailable()
  }
}

function keysIn(set: unknown): PublicJwk[] {
  const list = isObject(set) ? set.keys : undefined
  if (!Array.isArray(list)) throw new Error('the document at jwks_uri has no list "keys"')
  const some = (list as unknown[]).slice(0, KEYS_LIMIT)
  return some.flatMap((key) => (isObject(key) ? (publicJwk(key) ?? []) : []))
}

function readKept(value: unknown): KeptKeys | undefined {
  return isObject(value) && Array.isArray(value.keys) ? (value as unknown as KeptKeys) : undefined
}

function unavailable(): KeysUnavailable {
  return new KeysUnavailable(
    "The keys of the authorization server cannot be requested; the gateway's log says why. Its host must be in auth_host, or in allowed_outbound_hosts of mcp-gateway.",
  )
}
