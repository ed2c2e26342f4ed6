import { toBase64, urlSafe } from 'ftl-http'

/** As base64url. @param bytes 16 are too many to guess. */
export function randomText(bytes: number): string {
  return urlSafe(toBase64(crypto.getRandomValues(new Uint8Array(bytes))))
}
