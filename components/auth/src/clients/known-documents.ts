/**
 * Documents of clients that were requested a short time ago. Each takes one of a fixed number of places in the store, so
 * strangers who name many addresses fill nothing: a document that is pushed out is requested again.
 */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import type { Vault } from '../vault.ts'
import type { Client } from './client.ts'

/** 256 places. */
const PLACE_DIGITS = 2
/** Of a document whose response says nothing. */
const USUAL_MS = 5 * 60_000
/** An address that a client removes from its document is refused after this time at the latest. */
const LONGEST_MS = 60 * 60_000
/** Older ones are not used, even when no more may be requested. */
const STALE_MS = 24 * 60 * 60_000

export interface KnownDocument {
  client: Client
  /** Otherwise it is used only if it cannot be requested again now. */
  isFresh: boolean
}

/** How long a response may be kept. */
export function freshMs(headers: Headers): number {
  const control = headers.get('cache-control')?.toLowerCase() ?? ''
  if (/(^|[\s,])no-(store|cache)\b/.test(control)) return 0
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,9})/.exec(control) ?? []
  return seconds === undefined ? USUAL_MS : Math.min(Number(seconds) * 1000, LONGEST_MS)
}

const keyOf = async (id: string) => `auth:document:${(await sha256(id)).slice(0, PLACE_DIGITS)}`

export async function knownDocument(
  vault: Vault,
  id: string,
  now: number,
): Promise<KnownDocument | undefined> {
  const value = await vault.read(await keyOf(id))
  if (!isObject(value) || value['id'] !== id) return undefined
  const { name, redirectUris, read, fresh } = value
  if (!isString(name) || !isArrayOf(redirectUris, isString)) return undefined
  if (typeof read !== 'number' || typeof fresh !== 'number') return undefined
  const age = now - read
  if (age < 0 || age > STALE_MS) return undefined
  return { client: { id, name, redirectUris }, isFresh: age < fresh }
}

/** @param fresh milliseconds; with 0 it is not kept. */
export async function keepDocument(
  vault: Vault,
  { id, name, redirectUris }: Client,
  { now, fresh }: { now: number; fresh: number },
): Promise<void> {
  if (fresh === 0) return
  const value = { id, name, redirectUris, read: now, fresh }
  await vault.change(await keyOf(id), () => ({ value, result: undefined }))
}
