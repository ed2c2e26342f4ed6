/**
 * The gateway's own entries in the key-value store.
 *
 * The gateway trusts only entries it has written. In a store that no other component can open (`own_store`) these are
 * all entries. A bare `spin up` gives the store `default` to every component that lists it: there each entry is sealed
 * with `request_state_key`, and an entry with a wrong seal is ignored. The seal covers the entry's key, so an entry
 * cannot replace another; an older value of the same entry can be replayed.
 */
import { jsonOf } from 'ftl-platform'
import { isMacOf, macOf } from './mac.ts'
import type { Scope } from './scope.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A warning if other components can access the gateway's entries; `undefined` if they are protected. */
export function unprotected({ settings }: Scope): string | undefined {
  if (settings.ownStore !== '' || settings.requestStateKey !== '') return undefined
  return (
    'Other components can read and change what the gateway stores (the catalog, jobs): they can open the key-value ' +
    'store "default". Set request_state_key, or give the gateway a store of its own (own_store).'
  )
}

/** @returns `undefined` when the entry does not exist or another component has written it. */
export async function loadEntry(scope: Scope, key: string): Promise<unknown> {
  return jsonOf(await loadBytes(scope, key))
}

/** The same for an entry that is more than one JSON document. */
export async function loadBytes(scope: Scope, key: string): Promise<Uint8Array | undefined> {
  const bytes = await (await scope.store()).get(key)
  if (bytes === undefined || !isSealing(scope)) return bytes
  const dot = bytes.indexOf(46)
  const text = bytes.subarray(dot + 1)
  const mac = decoder.decode(bytes.subarray(0, Math.max(dot, 0)))
  const isOwn = await isMacOf(mac, secret(scope), sealed(key, text))
  return isOwn ? text : undefined
}

export async function saveEntry(scope: Scope, key: string, text: string): Promise<void> {
  const store = await scope.store()
  if (!isSealing(scope)) return store.set(key, text)
  const mac = await macOf(secret(scope), sealed(key, encoder.encode(text)))
  return store.set(key, `${mac}.${text}`)
}

function isSealing({ settings }: Scope): boolean {
  return settings.ownStore === '' && settings.requestStateKey !== ''
}

/** The prefix `entry` separates these seals from other data that is sealed with the same key. */
function sealed(key: string, json: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`entry ${key}\n`)
  const covered = new Uint8Array(head.length + json.length)
  covered.set(head)
  covered.set(json, head.length)
  return covered
}

function secret({ settings }: Scope): Uint8Array<ArrayBuffer> {
  return encoder.encode(settings.requestStateKey)
}
