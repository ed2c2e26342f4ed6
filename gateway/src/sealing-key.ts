/** The secret with which the gateway seals what it sends through clients. */
import { utf8 } from 'ftl-http'
import type { Scope } from './scope.ts'

/** Store key of the random sealing key that is used without `request_state_key`. */
export const STORED_KEY = 'key:request-state'

export async function sealingKey(scope: Scope): Promise<Uint8Array<ArrayBuffer>> {
  const { requestStateKey } = scope.settings
  return requestStateKey === '' ? storedKey(scope) : utf8(requestStateKey)
}

async function storedKey(scope: Scope): Promise<Uint8Array<ArrayBuffer>> {
  const store = await scope.store()
  const stored = await store.get(STORED_KEY)
  if (stored) return new Uint8Array(stored)
  await store.set(STORED_KEY, crypto.getRandomValues(new Uint8Array(32)))
  // Two instances may store a key at the same time; the last one written is used.
  return new Uint8Array((await store.get(STORED_KEY)) ?? [])
}
