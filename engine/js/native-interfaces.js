/** Gives the classes of the native part the form that Web IDL wants: https://webidl.spec.whatwg.org/#js-interfaces */
import { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } from './primordials.js'
import { define } from './web-idl.js'

/** The arguments that each constructor needs. */
const CLASSES = {
  Crypto: 0,
  CryptoKey: 0,
  Headers: 0,
  Request: 1,
  Response: 0,
  SubtleCrypto: 0,
  TextDecoder: 0,
  TextEncoder: 0,
  URL: 1,
  URLSearchParams: 0,
}

/** The arguments that operations of the native part need, as far as their own functions do not say so. */
const OPERATIONS = {
  SubtleCrypto: {
    ...{ decrypt: 3, deriveBits: 2, deriveKey: 5, digest: 2, encrypt: 3, exportKey: 2 },
    ...{ generateKey: 3, importKey: 5, sign: 3, unwrapKey: 7, verify: 4, wrapKey: 4 },
  },
  URL: { canParse: 1, parse: 1 },
}

const setName = (member, name) => {
  if (typeof member === 'function')
    defineProperty(member, 'name', { value: name, configurable: true })
}

function shapeMembers(object, except) {
  for (const key of ownKeys(object)) {
    if (typeof key !== 'string' || except.includes(key)) continue
    const descriptor = getOwnPropertyDescriptor(object, key)
    setName(descriptor.value, key)
    setName(descriptor.get, `get ${key}`)
    setName(descriptor.set, `set ${key}`)
    defineProperty(object, key, { ...descriptor, enumerable: true, configurable: true })
  }
}

const setLength = (operation, length) =>
  defineProperty(operation, 'length', { value: length, configurable: true })

for (const iterable of [new Headers(), new URLSearchParams()]) {
  shapeMembers(getPrototypeOf(iterable.entries()), [])
}

for (const [name, length] of Object.entries(CLASSES)) {
  const constructor = globalThis[name]
  shapeMembers(constructor.prototype, ['constructor'])
  shapeMembers(constructor, ['length', 'name', 'prototype'])
  setLength(constructor, length)
  for (const [key, count] of Object.entries(OPERATIONS[name] ?? {})) {
    setLength(constructor.prototype[key] ?? constructor[key], count)
  }
  define(globalThis, name, constructor)
}
