/** What structuredClone does with each kind of object, apart from those that contain other values. */
import {
  SafeMap,
  bigintValue,
  booleanValue,
  bufferByteLength,
  bufferMaxByteLength,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  getTime,
  isDetached,
  isResizable,
  mapForEach,
  mapGet,
  numberValue,
  setForEach,
  stringValue,
  typedBuffer,
  typedByteLength,
  typedLength,
  typedOffset,
  typedSet,
  typedTag,
  viewBuffer,
  viewByteLength,
  viewOffset,
} from './primordials.js'
import { classId } from './host.js'
import { toText } from './web-idl.js'

const {
  ArrayBuffer,
  DataView,
  Date,
  Error,
  Object: ObjectConstructor,
  RegExp,
  Uint8Array,
} = globalThis

const samples = {
  Object: {},
  Array: [],
  Map: new Map(),
  Set: new Set(),
  Error: new Error(),
  Date: new Date(0),
  RegExp: /x/,
  Boolean: Object(true),
  Number: Object(1),
  String: Object(''),
  BigInt: Object(1n),
  ArrayBuffer: new ArrayBuffer(0),
  DataView: new DataView(new ArrayBuffer(0)),
  DOMException: new DOMException(),
  Arguments: (function () {
    return arguments
  })(),
  MappedArguments: new Function('a', 'return arguments')(1),
}
const kinds = new SafeMap()
for (const [kind, sample] of Object.entries(samples)) kinds.set(classId(sample), kind)
const typedArrays = new SafeMap()
for (const name of ownNames(globalThis)) {
  const constructor = globalThis[name]
  if (
    typeof constructor !== 'function' ||
    getPrototypeOf(constructor) !== getPrototypeOf(Uint8Array)
  )
    continue
  kinds.set(classId(new constructor(0)), 'TypedArray')
  typedArrays.set(name, constructor)
}
function ownNames(object) {
  return Object.getOwnPropertyNames(object).filter((name) => name.endsWith('Array'))
}

/** The name of the engine's class, or undefined for one that cannot be cloned: a function, a promise, a proxy and so on. */
export const kindOf = (value) => {
  const kind = mapGet(kinds, classId(value))
  return kind === 'Arguments' || kind === 'MappedArguments' ? 'Object' : kind
}

/** Classes of this script whose objects can be cloned: prototype to function. */
export const serializable = new SafeMap()

export function cannotClone(value) {
  return new DOMException(`${describe(value)} could not be cloned`, 'DataCloneError')
}
function describe(value) {
  if (typeof value === 'string') return value
  if (typeof value === 'symbol') return 'A symbol'
  if (typeof value === 'function') return 'A function'
  return 'An object of this class'
}

const typedAt = Function.prototype.call.bind(getPrototypeOf(Uint8Array).prototype.at)
const sourceOf = getterOf(RegExp.prototype, 'source')
const flagsOf = ['d', 'g', 'i', 'm', 's', 'u', 'v', 'y']
const flagGetters = [
  'hasIndices',
  'global',
  'ignoreCase',
  'multiline',
  'dotAll',
  'unicode',
  'unicodeSets',
  'sticky',
].map((name) => getterOf(RegExp.prototype, name))
function getterOf(object, name) {
  return Function.prototype.call.bind(getOwnPropertyDescriptor(object, name).get)
}

function cloneRegExp(value) {
  let flags = ''
  for (let i = 0; i < flagsOf.length; i++) if (flagGetters[i](value)) flags += flagsOf[i]
  return new RegExp(sourceOf(value), flags)
}

function cloneBuffer(value) {
  if (isDetached(value)) throw cannotClone('A detached ArrayBuffer')
  const size = bufferByteLength(value)
  const copy = isResizable(value)
    ? new ArrayBuffer(size, { maxByteLength: bufferMaxByteLength(value) })
    : new ArrayBuffer(size)
  typedSet(new Uint8Array(copy), new Uint8Array(value))
  return copy
}
/** A view that ends where its resizable buffer ends is taken for one whose length follows the buffer. */
function cloneView(value, begin, buffer, offset, length, bytes, constructor) {
  if (kindOf(buffer) !== 'ArrayBuffer') throw cannotClone('A view of a SharedArrayBuffer')
  if (isDetached(buffer)) throw cannotClone('A view of a detached ArrayBuffer')
  if (!isResizable(buffer)) return new constructor(begin(buffer), offset, length)
  const unit = constructor === DataView ? 1 : constructor.BYTES_PER_ELEMENT
  const rest = bufferByteLength(buffer) - offset
  const copy = begin(buffer)
  return bytes === rest - (rest % unit)
    ? new constructor(copy, offset)
    : new constructor(copy, offset, length)
}

/** @throws DataCloneError for a view that lies outside of its shrunken buffer: its accessors say 0, or throw. */
function checkBounds(read) {
  try {
    return read()
  } catch {
    throw cannotClone('A view that is out of the bounds of its ArrayBuffer')
  }
}

const errorNames = [
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]
const errorPrototypes = new SafeMap()
for (const name of errorNames) errorPrototypes.set(name, globalThis[name].prototype)

/** Name, message and stack; `cause` is added by the caller, since it can contain anything. */
export function cloneError(value) {
  const { name } = value
  const prototype =
    mapGet(errorPrototypes, name === undefined ? 'Error' : toText(name)) ?? Error.prototype
  const message = getOwnPropertyDescriptor(value, 'message')
  const copy = new Error()
  ObjectConstructor.setPrototypeOf(copy, prototype)
  const hide = (key, text) =>
    defineProperty(copy, key, {
      value: text,
      writable: true,
      enumerable: false,
      configurable: true,
    })
  if (message !== undefined && 'value' in message) hide('message', toText(message.value))
  const { stack } = value
  hide('stack', typeof stack === 'string' ? stack : '')
  return copy
}

export function cloneScalar(value, kind, begin) {
  switch (kind) {
    case 'Date':
      return new Date(getTime(value))
    case 'RegExp':
      return cloneRegExp(value)
    case 'Boolean':
      return ObjectConstructor(booleanValue(value))
    case 'Number':
      return ObjectConstructor(numberValue(value))
    case 'String':
      return ObjectConstructor(stringValue(value))
    case 'BigInt':
      return ObjectConstructor(bigintValue(value))
    case 'ArrayBuffer':
      return cloneBuffer(value)
    case 'TypedArray':
      if (kindOf(typedBuffer(value)) === 'ArrayBuffer' && !isDetached(typedBuffer(value)))
        checkBounds(() => typedAt(value, 0))
      return cloneView(
        value,
        begin,
        typedBuffer(value),
        typedOffset(value),
        typedLength(value),
        typedByteLength(value),
        mapGet(typedArrays, typedTag(value)),
      )
    case 'DataView': {
      const buffer = viewBuffer(value)
      if (isDetached(buffer)) throw cannotClone('A view of a detached ArrayBuffer')
      const bytes = checkBounds(() => viewByteLength(value))
      return cloneView(value, begin, buffer, viewOffset(value), bytes, bytes, DataView)
    }
    case 'DOMException': {
      const copy = new DOMException(value.message, value.name)
      const { stack } = value
      if (typeof stack === 'string') {
        defineProperty(copy, 'stack', { value: stack, writable: true, configurable: true })
      }
      return copy
    }
    case 'Object': {
      for (let proto = getPrototypeOf(value); proto !== null; proto = getPrototypeOf(proto)) {
        const copy = mapGet(serializable, proto)
        if (copy !== undefined) return copy(value)
      }
    }
  }
  throw cannotClone(value)
}

/** The entries as they are now: what a getter adds later is not copied. */
export function entriesOf(source, kind) {
  const list = []
  if (kind === 'Set') setForEach(source, (item) => (list[list.length] = item))
  else {
    mapForEach(source, (item, key) => {
      list[list.length] = key
      list[list.length] = item
    })
  }
  return list
}
