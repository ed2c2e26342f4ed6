/** Message authentication codes (HMAC-SHA-256) of what the gateway stores or sends where others could change it. */
import { fromBase64, fromUrlSafe, urlSafe } from 'ftl-http'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

type Bytes = Uint8Array<ArrayBuffer>

/** @returns the code in base64. */
export async function macOf(secret: Bytes, covered: Bytes): Promise<string> {
  const mac = await crypto.subtle.sign(HMAC, await keyOf(secret), covered)
  return btoa(String.fromCharCode(...new Uint8Array(mac)))
}

/** The same in base64url, without padding: for addresses and headers. */
export async function urlMacOf(secret: Bytes, covered: Bytes): Promise<string> {
  return urlSafe(await macOf(secret, covered))
}

/** Whether `mac` is the code of `covered`, in base64url. */
export function isUrlMacOf(mac: string, secret: Bytes, covered: Bytes): Promise<boolean> {
  return isMacOf(`${fromUrlSafe(mac)}=`, secret, covered)
}

/** Whether `mac` is the code of `covered`, in base64. */
export async function isMacOf(mac: string, secret: Bytes, covered: Bytes): Promise<boolean> {
  const bytes = fromBase64(mac)
  return !!bytes && crypto.subtle.verify(HMAC, await keyOf(secret), bytes, covered)
}

function keyOf(secret: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, HMAC, false, ['sign', 'verify'])
}
