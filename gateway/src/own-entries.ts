/**
 * The gateway's own entries in the key-value store.
 *
 * The gateway trusts only entries it has written. In a store that no other component can open (`own_store`) these are
 * all entries. A bare `spin up` gives the store `default` to every component that lists it: there each entry is sealed
 * with `request_state_key`, and an entry with a wrong seal is ignored. The seal covers the entry's key, so an entry
 * cannot replace another; an older value of the same entry can be replayed.
 */
import { jsonOf } from 'ftl-platform'
import type { Scope } from './scope.ts'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
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
  const bytes = await (await scope.store()).get(key)
  if (bytes === undefined || !isSealing(scope)) return jsonOf(bytes)
  const dot = bytes.indexOf(46)
  const json = bytes.subarray(dot + 1)
  const mac = dot < 0 ? undefined : macOf(decoder.decode(bytes.subarray(0, dot)))
  if (!mac || !(await crypto.subtle.verify(HMAC, await sealKey(scope), mac, sealed(key, json)))) {
    return undefined
  }
  return jsonOf(json)
}

export async function saveEntry(scope: Scope, key: string, json: string): Promise<void> {
  const store = await scope.store()
  if (!isSealing(scope)) return store.set(key, json)
  const covered = sealed(key, encoder.encode(json))
  const mac = await crypto.subtle.sign(HMAC, await sealKey(scope), covered)
  return store.set(key, `${btoa(String.fromCharCode(...new Uint8Array(mac)))}.${json}`)
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

function sealKey({ settings }: Scope): Promise<CryptoKey> {
  const bytes = encoder.encode(settings.requestStateKey)
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify'])
}

function macOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
