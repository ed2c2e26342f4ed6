/** https://www.w3.org/TR/SRI/#the-integrity-attribute */
import { latin1Of } from './data-url.js'
import { charCodeAt, indexOf, replaceAll, split, substring, toLowerCase } from './primordials.js'

const { Uint8Array, btoa } = globalThis
const { subtle } = globalThis.crypto
const digest = Function.prototype.call.bind(subtle.digest)
const STRENGTHS = { __proto__: null, sha256: 1, sha384: 2, sha512: 3 }
const HASHES = [undefined, 'SHA-256', 'SHA-384', 'SHA-512']
const SPACE = /[\t\n\f\r ]+/g

/** The digests of the strongest algorithm that is named, in Base64. */
function strongest(integrity) {
  let best = 0
  let values = []
  const items = split(replaceAll(integrity, SPACE, ' '), ' ')
  for (let i = 0; i < items.length; i++) {
    const dash = indexOf(items[i], '-')
    const strength = STRENGTHS[toLowerCase(substring(items[i], 0, dash))] ?? 0
    if (strength === 0 || strength < best) continue
    if (strength > best) values = []
    best = strength
    const value = split(substring(items[i], dash + 1), '?')[0]
    values[values.length] = replaceAll(replaceAll(value, /-/g, '+'), /_/g, '/')
  }
  return { hash: HASHES[best], values }
}

const withoutPadding = (text) => {
  let end = text.length
  while (end > 0 && charCodeAt(text, end - 1) === 0x3d) end--
  return substring(text, 0, end)
}

/** Whether bytes are what the option `integrity` of a request says. One that names no known algorithm says nothing. */
export async function isIntact(integrity, bytes) {
  const { hash, values } = strongest(integrity)
  if (hash === undefined) return true
  const made = await digest(subtle, hash, bytes)
  const wanted = withoutPadding(btoa(latin1Of(new Uint8Array(made))))
  for (let i = 0; i < values.length; i++) if (withoutPadding(values[i]) === wanted) return true
  return false
}
