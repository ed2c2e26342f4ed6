/**
 * Seals values that leave the component: into the store, which other components may share, and through browsers and
 * clients, which return them. A sealed value cannot be read, changed, or used for another purpose or place.
 */
import { fromBase64, fromUrlSafe, toBase64, urlSafe, utf8 } from 'ftl-http'

/** Each has a key of its own. */
export type Purpose =
  'client' | 'request' | 'code' | 'refresh' | 'entry' | 'flow' | 'session' | 'known' | 'operator'

export interface Sealer {
  /** @param place what the value belongs to, such as the key of a store. It must be the same to open it. */
  seal(purpose: Purpose, value: unknown, place?: string): Promise<string>
  /** @returns `undefined` for everything that was not sealed here for this purpose and place. */
  open(purpose: Purpose, text: string, place?: string): Promise<unknown>
}

const IV_BYTES = 12
const SALT = utf8('ftl auth server 1')

/** @param secret of the operator. A new one makes everything that was sealed before unreadable. */
export function createSealer(secret: string): Sealer {
  const keys = new Map<Purpose, Promise<CryptoKey>>()
  const keyOf = (purpose: Purpose) => {
    let key = keys.get(purpose)
    if (!key) keys.set(purpose, (key = derive(secret, purpose)))
    return key
  }
  return {
    async seal(purpose, value, place = '') {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const plain = utf8(JSON.stringify(value))
      const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(place) }
      const sealed = new Uint8Array(
        await crypto.subtle.encrypt(algorithm, await keyOf(purpose), plain),
      )
      const bytes = new Uint8Array(IV_BYTES + sealed.length)
      bytes.set(iv)
      bytes.set(sealed, IV_BYTES)
      return urlSafe(toBase64(bytes))
    },
    async open(purpose, text, place = '') {
      const bytes = /^[\w-]+$/.test(text) ? fromBase64(fromUrlSafe(text)) : undefined
      if (!bytes || bytes.length <= IV_BYTES) return undefined
      const iv = bytes.slice(0, IV_BYTES)
      const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(place) }
      try {
        const key = await keyOf(purpose)
        const plain = await crypto.subtle.decrypt(algorithm, key, bytes.slice(IV_BYTES))
        return JSON.parse(new TextDecoder().decode(plain)) as unknown
      } catch {
        return undefined
      }
    },
  }
}

async function derive(secret: string, purpose: Purpose): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: SALT, info: utf8(purpose) },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
