/**
 * The gateway's own entries in the key-value store.
 *
 * The gateway trusts only entries it has written. In a store that no other component can open (`own_store`) these are
 * all entries. A bare `spin up` gives the store `default` to every component that lists it: there each entry is sealed
 * with `request_state_key`, and an entry with a wrong seal is ignored. The seal covers the entry's key, so an entry
 * cannot replace another; an older value of the same entry can be replayed.
 */
import { utf8 } from 'ftl-http'
import { jsonOf, type KeyValue, KeyValueError } from 'ftl-platform'
import { pause } from 'ftl-contract'
import { logError } from './log.ts'
import { isMacOf, macOf } from './mac.ts'
import type { Scope } from './scope.ts'

const decoder = new TextDecoder()

/** A warning if other components can access the gateway's entries; `undefined` if they are protected. */
export function unprotected({ settings }: Scope): string | undefined {
  if (settings.ownStore !== '' || settings.requestStateKey !== '') return undefined
  return (
    'Other components can read and change what the gateway stores: they can open the key-value store "default". ' +
    'Set request_state_key or own_store.'
  )
}

/** @returns `undefined` when the entry does not exist or another component has written it. */
export function loadEntry(scope: Scope, key: string): Promise<unknown> {
  return loadBytes(scope, key).then(jsonOf)
}

/** The same for an entry that is more than one JSON document. */
// Not `async`, nor the functions it calls: each promise costs a call as much as reading a header.
export function loadBytes(scope: Scope, key: string): Promise<Uint8Array | undefined> {
  return storeOf(scope)
    .then((store) => store.get(key))
    .then((bytes) =>
      bytes === undefined || !isSealing(scope) ? bytes : unsealed(scope, key, bytes),
    )
}

/** A variable that cannot be read is an error of the store, as one that does not open. */
function storeOf(scope: Scope): Promise<KeyValue> {
  try {
    return scope.store()
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)))
  }
}

async function unsealed(
  scope: Scope,
  key: string,
  bytes: Uint8Array,
): Promise<Uint8Array | undefined> {
  const dot = bytes.indexOf(46)
  const text = bytes.subarray(dot + 1)
  const mac = decoder.decode(bytes.subarray(0, Math.max(dot, 0)))
  const isOwn = await isMacOf(mac, secret(scope), sealed(key, text))
  return isOwn ? text : undefined
}

export async function saveEntry(scope: Scope, key: string, text: string): Promise<void> {
  return (await scope.store()).set(key, await storedForm(scope, key, text))
}

/** The same for what can be made again: never throws for the store, and says so in the log. */
export function cacheEntry(scope: Scope, key: string, text: string): Promise<void> {
  return saveEntry(scope, key, text).catch((error: unknown) =>
    logError(scope, `${key.replace(/:[^:]*$/, '')} not written`, error),
  )
}

async function storedForm(scope: Scope, key: string, text: string): Promise<string> {
  if (!isSealing(scope)) return text
  return `${await macOf(secret(scope), sealed(key, utf8(text)))}.${text}`
}

/** How often a change is decided again because another instance has changed the entry. Each time, one of them succeeds. */
const CHANGE_LIMIT = 100

/** Milliseconds by which a further attempt may be delayed for each one before it: many instances at once get apart. */
const SPREAD_MS = 1

/**
 * Changes an entry. Where the host compares (`setIf`), no other instance changes it in between; on Spin one may, and its
 * change is then lost.
 *
 * @param change gets the value, and returns the new one; `undefined` changes nothing.
 * @returns whether it was changed.
 * @throws {KeyValueError}
 */
export function changeEntry(
  scope: Scope,
  key: string,
  change: (value: unknown) => string | undefined,
): Promise<boolean> {
  return changeBytes(scope, key, (bytes) => change(jsonOf(bytes)))
}

/** The same for an entry that is more than one JSON document. */
export async function changeBytes(
  scope: Scope,
  key: string,
  change: (bytes: Uint8Array | undefined) => string | undefined,
): Promise<boolean> {
  const store = await scope.store()
  for (let tries = 0; tries < CHANGE_LIMIT; tries++) {
    const before = await store.get(key)
    const isSealed = before !== undefined && isSealing(scope)
    const text = change(isSealed ? await unsealed(scope, key, before) : before)
    if (text === undefined) return false
    const stored = await storedForm(scope, key, text)
    const isWritten = await store.setIf?.(key, before, stored)
    if (isWritten === undefined) await store.set(key, stored)
    if (isWritten !== false) return true
    await pause(Math.random() * tries * SPREAD_MS)
  }
  throw new KeyValueError('other', 'other requests change the entry too often to write it')
}

function isSealing({ settings }: Scope): boolean {
  return settings.ownStore === '' && settings.requestStateKey !== ''
}

/** The prefix `entry` separates these seals from other data that is sealed with the same key. */
function sealed(key: string, json: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8(`entry ${key}\n`)
  const covered = new Uint8Array(head.length + json.length)
  covered.set(head)
  covered.set(json, head.length)
  return covered
}

function secret({ settings }: Scope): Uint8Array<ArrayBuffer> {
  return utf8(settings.requestStateKey)
}
