/**
 * Encrypts what is stored or sent through a browser: AES-256-GCM, with a key of its own for each purpose.
 *
 * Threat: who can read or change the key-value store, or has a link of another user, must neither get a token nor put
 * one user's token in the place of another's. The name of the user is part of the purpose, so an entry that was moved
 * cannot be opened.
 */
import { fromBase64, fromUrlSafe, toBase64, urlSafe, utf8 } from 'ftl-http'

export interface Sealer {
  seal(purpose: readonly string[], value: unknown): Promise<string>
  /** `undefined` for a text that was not sealed with this secret for this purpose. */
  open(purpose: readonly string[], text: string): Promise<unknown>
}

const IV_BYTES = 12
/** Longest text that is decrypted: strangers send some of them. */
const LONGEST = 64 * 1024

/** @param secret the variable `remote_key`. */
export function openSealer(secret: string): Sealer {
  async function keyFor(purpose: readonly string[]): Promise<CryptoKey> {
    const source = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveKey'])
    const info = utf8(JSON.stringify(['ftl-remote', ...purpose]))
    return crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
      source,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    )
  }

  return {
    async seal(purpose, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const plain = utf8(JSON.stringify(value))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        await keyFor(purpose),
        plain,
      )
      const all = new Uint8Array(IV_BYTES + sealed.byteLength)
      all.set(iv)
      all.set(new Uint8Array(sealed), IV_BYTES)
      return urlSafe(toBase64(all))
    },

    async open(purpose, text) {
      if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return undefined
      const all = fromBase64(fromUrlSafe(text))
      if (!all || all.length <= IV_BYTES) return undefined
      try {
        const plain = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: all.slice(0, IV_BYTES) },
          await keyFor(purpose),
          all.slice(IV_BYTES),
        )
        return JSON.parse(new TextDecoder().decode(plain)) as unknown
      } catch {
        return undefined
      }
    },
  }
}
