/**
 * Which registrations users have allowed: these do not expire. Only users who signed in add to this list, and the one that
 * was not used for the longest time goes first.
 */
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import type { Vault } from '../vault.ts'
import type { Client } from './client.ts'
import { UNUSED_SECONDS } from './registration.ts'

const KEY = 'auth:clients'
const MOST = 1_000
const DAY_MS = 86_400_000

/** By digest of the id: the day of the last use. */
function daysIn(value: unknown): Map<string, number> {
  const entries = isObject(value) ? Object.entries(value) : []
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}

/** Short, because there can be many. */
export async function digestOfClient(id: string): Promise<string> {
  return (await sha256(id)).slice(0, 32)
}

/** Whether a registration that no user has allowed in time has expired. */
export async function hasExpired(vault: Vault, client: Client, now: number): Promise<boolean> {
  const { registered } = client
  if (registered === undefined || now / 1000 - registered < UNUSED_SECONDS) return false
  return !daysIn(await vault.read(KEY)).has(await digestOfClient(client.id))
}

/** A user has allowed the client. */
export async function keepClient(vault: Vault, id: string, now: number): Promise<void> {
  const digest = await digestOfClient(id)
  const day = Math.floor(now / DAY_MS)
  await vault.change(KEY, (value) => {
    const days = daysIn(value)
    if (days.get(digest) === day) return { value: undefined, result: undefined }
    days.set(digest, day)
    const newest = [...days].sort((one, other) => other[1] - one[1]).slice(0, MOST)
    return { value: Object.fromEntries(newest), result: undefined }
  })
}
