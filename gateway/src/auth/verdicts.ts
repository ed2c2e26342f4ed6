/**
 * Verdicts about tokens, kept until the token expires: to verify a signature takes longer than a call.
 *
 * The store has 4096 places, and a token's digest chooses one. So tokens cannot fill the store, and nothing has to be
 * swept. Only the gateway can write a verdict: see own-entries.ts.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { cacheEntry, loadEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import type { Caller } from '../caller.ts'
import type { Verdict } from './claims.ts'

/** Milliseconds for which a verdict is kept at most, so that a key that the issuer withdraws stops to work. */
const LONGEST_MS = 3_600_000

interface Kept extends Verdict {
  digest: string
}

/**
 * Name of a verdict. It covers what the verdict depends on, so that another configuration does not find it.
 *
 * @param resources canonical URIs of what the request is for.
 */
export function verdictId(
  { settings }: Scope,
  token: string,
  resources: readonly string[],
): Promise<string> {
  const { authIssuers, authAlgorithms, policy } = settings
  const groupsClaim = policy?.mayNameGroups ? settings.authGroupsClaim : undefined
  return sha256(
    JSON.stringify([token, authIssuers.text, authAlgorithms, resources, policy?.text, groupsClaim]),
  )
}

export async function keptVerdict(scope: Scope, id: string): Promise<Caller | undefined> {
  const kept = await loadEntry(scope, placeOf(id))
  if (!isObject(kept)) return undefined
  const { digest, expires, caller } = kept as unknown as Kept
  const left = expires - scope.platform.now()
  return digest === id && left > 0 && left <= LONGEST_MS ? caller : undefined
}

export async function keepVerdict(scope: Scope, id: string, verdict: Verdict): Promise<void> {
  const { caller, expires } = verdict
  const until = Math.min(expires, scope.platform.now() + LONGEST_MS)
  const kept: Kept = { digest: id, caller, expires: until }
  await cacheEntry(scope, placeOf(id), JSON.stringify(kept))
}

function placeOf(id: string): string {
  return `gateway:token:${id.slice(0, 3)}`
}
