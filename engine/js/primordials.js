/**
 * Built-in functions as they were before the author's bundle ran: a bundle that overwrites a prototype must not break the
 * Web APIs of its own component.
 */
const { call, apply: applyMethod } = Function.prototype
const uncurry = (method) => call.bind(method)
const getterOf = (object, name) => uncurry(Object.getOwnPropertyDescriptor(object, name).get)

export const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
export const { keys: objectKeys } = Object
export const { isArray, from: arrayFrom } = Array
export const { isView } = ArrayBuffer
export const { iterator: symbolIterator, toStringTag } = Symbol
export const applyTo = uncurry(applyMethod)
export const hasOwn = uncurry(Object.prototype.hasOwnProperty)

export const slice = uncurry(Array.prototype.slice)
export const join = uncurry(Array.prototype.join)
export const splice = uncurry(Array.prototype.splice)

export const charCodeAt = uncurry(String.prototype.charCodeAt)
export const indexOf = uncurry(String.prototype.indexOf)
export const substring = uncurry(String.prototype.substring)
export const startsWith = uncurry(String.prototype.startsWith)
export const split = uncurry(String.prototype.split)
export const toLowerCase = uncurry(String.prototype.toLowerCase)
export const toWellFormed = uncurry(String.prototype.toWellFormed)
export const trim = uncurry(String.prototype.trim)
export const repeat = uncurry(String.prototype.repeat)
export const padEnd = uncurry(String.prototype.padEnd)

const regExpExec = uncurry(RegExp.prototype.exec)
export const matches = (pattern, text) => regExpExec(pattern, text) !== null
export const match = regExpExec

/** Replaces every match of a global pattern: `String.prototype.replace` would look up methods that can be overwritten. */
export function replaceAll(text, pattern, replacement) {
  let result = ''
  let from = 0
  pattern.lastIndex = 0
  for (let found = regExpExec(pattern, text); found !== null; found = regExpExec(pattern, text)) {
    result +=
      substring(text, from, found.index) +
      (typeof replacement === 'string' ? replacement : replacement(found[0]))
    from = found.index + found[0].length
  }
  return from === 0 ? text : result + substring(text, from)
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
export const typedTag = getterOf(typedArray, Symbol.toStringTag)
export const typedBuffer = getterOf(typedArray, 'buffer')
export const typedOffset = getterOf(typedArray, 'byteOffset')
export const typedByteLength = getterOf(typedArray, 'byteLength')
export const typedLength = getterOf(typedArray, 'length')
export const typedSet = uncurry(typedArray.set)
export const subarray = uncurry(typedArray.subarray)
export const viewBuffer = getterOf(DataView.prototype, 'buffer')
export const viewOffset = getterOf(DataView.prototype, 'byteOffset')
export const viewByteLength = getterOf(DataView.prototype, 'byteLength')

const buffer = ArrayBuffer.prototype
export const bufferByteLength = getterOf(buffer, 'byteLength')
export const bufferMaxByteLength = getterOf(buffer, 'maxByteLength')
export const isResizable = getterOf(buffer, 'resizable')
export const isDetached = getterOf(buffer, 'detached')
export const transferBuffer = uncurry(buffer.transfer)

export const SafeMap = Map
export const mapGet = uncurry(Map.prototype.get)
export const mapHas = uncurry(Map.prototype.has)
export const mapSet = uncurry(Map.prototype.set)
export const mapDelete = uncurry(Map.prototype.delete)
export const mapForEach = uncurry(Map.prototype.forEach)
export const SafeSet = Set
export const setAdd = uncurry(Set.prototype.add)
export const setHas = uncurry(Set.prototype.has)
export const setDelete = uncurry(Set.prototype.delete)
export const setForEach = uncurry(Set.prototype.forEach)

export const then = uncurry(Promise.prototype.then)
export const SafePromise = Promise
export const resolved = Promise.resolve.bind(Promise)
export const rejected = Promise.reject.bind(Promise)

export const getTime = uncurry(Date.prototype.getTime)
export const toISOString = uncurry(Date.prototype.toISOString)
export const regExpText = uncurry(RegExp.prototype.toString)
export const booleanValue = uncurry(Boolean.prototype.valueOf)
export const numberValue = uncurry(Number.prototype.valueOf)
export const stringValue = uncurry(String.prototype.valueOf)
export const bigintValue = uncurry(BigInt.prototype.valueOf)
export const symbolText = uncurry(Symbol.prototype.toString)

/** `String(value)` of an object whose own class defines `toString`; undefined when only Object does, or when it throws. */
export function classTextOf(value) {
  try {
    const { toString } = value
    const isBuiltIn =
      toString === objectToString ||
      toString === errorToString ||
      toString === arrayToString ||
      toString === functionToString
    return typeof toString !== 'function' || isBuiltIn ? undefined : `${value}`
  } catch {
    return undefined
  }
}
const objectToString = Object.prototype.toString
const errorToString = Error.prototype.toString
const arrayToString = Array.prototype.toString
const functionToString = Function.prototype.toString
