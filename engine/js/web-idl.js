/** The rules of https://webidl.spec.whatwg.org that all interfaces share. */
import {
  arrayFrom,
  defineProperty,
  ownKeys,
  toStringTag,
  toWellFormed,
  getOwnPropertyDescriptor,
} from './primordials.js'

const makeEnumerable = (object, except) => {
  for (const key of ownKeys(object)) {
    if (typeof key !== 'string' || except.includes(key)) continue
    defineProperty(object, key, { ...getOwnPropertyDescriptor(object, key), enumerable: true })
  }
}

/** Prototypes of interfaces: their objects are not plain objects, so structuredClone must refuse them. */
export const platformPrototypes = new Set()

export function define(object, name, value, enumerable = false) {
  defineProperty(object, name, { value, writable: true, enumerable, configurable: true })
}

/** Makes a class a Web IDL interface, as a global. */
export function exposeInterface(name, constructor) {
  makeEnumerable(constructor.prototype, ['constructor'])
  makeEnumerable(constructor, ['length', 'name', 'prototype'])
  defineProperty(constructor, 'name', { value: name, configurable: true })
  defineProperty(constructor.prototype, toStringTag, { value: name, configurable: true })
  platformPrototypes.add(constructor.prototype)
  define(globalThis, name, constructor)
}

/** Makes a function a global operation, which Web IDL wants enumerable. */
export function exposeOperation(name, operation) {
  defineProperty(operation, 'name', { value: name, configurable: true })
  define(globalThis, name, operation, true)
}

export function defineConstants(constructor, constants) {
  for (const [name, value] of Object.entries(constants)) {
    defineProperty(constructor, name, { value, enumerable: true })
    defineProperty(constructor.prototype, name, { value, enumerable: true })
  }
}

/** @throws TypeError when a call has fewer arguments than the interface needs. */
export function needArguments(given, needed, operation) {
  if (given < needed) {
    throw new TypeError(
      `${operation} needs ${needed} argument${needed === 1 ? '' : 's'}, but got ${given}`,
    )
  }
}

export const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** The optional dictionary argument of an operation. @throws TypeError unless it is an object, null or undefined. */
export function toDictionary(value, what) {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw new TypeError(`${what} must be an object`)
  return value
}

/** @throws TypeError for a symbol, as `String(symbol)` would not. */
export const toText = (value) => (typeof value === 'string' ? value : `${value}`)
/** A USVString: no lone surrogates. */
export const toScalarText = (value) => toWellFormed(toText(value))

/** A sequence. @throws TypeError unless the value is iterable. */
export function toSequence(value, what) {
  if (!isObject(value) || typeof value[Symbol.iterator] !== 'function') {
    throw new TypeError(`${what} must be an iterable object`)
  }
  return arrayFrom(value)
}

export const illegalConstructor = () => new TypeError('Illegal constructor')
