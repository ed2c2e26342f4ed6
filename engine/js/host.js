import { substring, toWellFormed } from './primordials.js'

/** What the native part gives to this script, and what this script gives back. `prelude.rs` removes the global again. */
const host = globalThis.__ftl

/** Characters of one log entry; the rest is left out. */
const MAX_ENTRY = 1_000_000
const nativePrint = host.print
/** Writes one entry to the log. The native part takes no lone surrogates. */
export function print(level, text) {
  const rest = text.length - MAX_ENTRY
  const shown = rest > 0 ? `${substring(text, 0, MAX_ENTRY)}... ${rest} more characters` : text
  nativePrint(level, toWellFormed(shown))
}
/** `classId(value)`: the number of the engine's own class of an object, which no JavaScript can fake. */
export const { classId } = host
/** `proxyTarget(value)`: what a proxy wraps, or undefined. */
export const { proxyTarget } = host
/** A codec of one stream of bytes: push, finish, take. */
export const { Codec } = host
/** For `packages.js`. */
export const { variable, keepShapes } = host
/** One request of the host: send, cancel, abortBody, markRedirected, signalOf, hasBody. */
export const fetchNative = host.fetch

const exported = (host.exports = Object.create(null))
export const provide = (functions) => Object.assign(exported, functions)

const { TextEncoder, TextDecoder } = globalThis
let encoder
let decoder
const encode = Function.prototype.call.bind(TextEncoder.prototype.encode)
const decode = Function.prototype.call.bind(TextDecoder.prototype.decode)

/** A string as UTF-8; a lone surrogate becomes U+FFFD. */
export const toUtf8 = (text) => encode((encoder ??= new TextEncoder()), toWellFormed(text))
let wholeDecoder
/** UTF-8 as a string, with U+FFFD for what is wrong, and with its byte order mark. */
export const fromUtf8Whole = (bytes) =>
  decode((wholeDecoder ??= new TextDecoder('utf-8', { ignoreBOM: true })), bytes)
/** UTF-8 as a string, with U+FFFD for what is wrong. A byte order mark is removed. */
export const fromUtf8 = (bytes) => decode((decoder ??= new TextDecoder()), bytes)
