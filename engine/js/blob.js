/** Blob and File: https://w3c.github.io/FileAPI/. The bytes of a blob are one array, and a slice shares it. */
import {
  applyTo,
  isDetached,
  isView,
  matches,
  rejected,
  replaceAll,
  resolved,
  subarray,
  symbolIterator,
  toLowerCase,
  typedBuffer,
  typedByteLength,
  typedOffset,
  typedSet,
  typedTag,
  viewBuffer,
  viewByteLength,
  viewOffset,
} from './primordials.js'
import {
  exposeInterface,
  isObject,
  needArguments,
  toDictionary,
  toScalarText,
  toText,
} from './web-idl.js'
import { serializable, kindOf } from './clone-kinds.js'
import { fromUtf8, provide, toUtf8 } from './host.js'
import { streamOfBytes } from './streams.js'

const { Uint8Array } = globalThis

/** The bytes behind a buffer or a view, not copied. Undefined for anything else. */
export function bytesOf(value) {
  if (isView(value)) {
    const isDataView = typedTag(value) === undefined
    const buffer = isDataView ? viewBuffer(value) : typedBuffer(value)
    if (kindOf(buffer) === 'ArrayBuffer' && isDetached(buffer)) return new Uint8Array(0)
    return isDataView
      ? new Uint8Array(buffer, viewOffset(value), viewByteLength(value))
      : new Uint8Array(buffer, typedOffset(value), typedByteLength(value))
  }
  if (kindOf(value) !== 'ArrayBuffer') return undefined
  return isDetached(value) ? new Uint8Array(0) : new Uint8Array(value)
}

export function concat(parts) {
  let size = 0
  for (let i = 0; i < parts.length; i++) size += typedByteLength(parts[i])
  const all = new Uint8Array(size)
  let at = 0
  for (let i = 0; i < parts.length; i++) {
    typedSet(all, parts[i], at)
    at += typedByteLength(parts[i])
  }
  return all
}

const normalType = (type) => (matches(/[^\x20-\x7e]/, type) ? '' : toLowerCase(type))

const secret = {}
let bytesOfBlob
export let isBlob

/** Each part is converted before the next one is read, as Web IDL wants it. */
function toParts(value) {
  const method = isObject(value) ? value[symbolIterator] : undefined
  if (typeof method !== 'function') {
    throw new TypeError('The parts of a Blob must be an iterable object')
  }
  const iterator = applyTo(method, value, [])
  const { next } = iterator
  const parts = []
  for (;;) {
    const step = applyTo(next, iterator, [])
    if (!isObject(step)) throw new TypeError('An iterator must return objects')
    if (step.done) return parts
    const part = step.value
    const isBytes =
      isObject(part) && (isBlob(part) || isView(part) || kindOf(part) === 'ArrayBuffer')
    parts[parts.length] = isBytes ? part : toScalarText(part)
  }
}

function partsToBytes(parts, endings) {
  const pieces = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (typeof part !== 'string') pieces[i] = isBlob(part) ? bytesOfBlob(part) : bytesOf(part)
    else pieces[i] = toUtf8(endings === 'native' ? replaceAll(part, /\r\n?/g, '\n') : part)
  }
  return concat(pieces)
}

export class Blob {
  #bytes
  #type

  static {
    bytesOfBlob = (blob) => blob.#bytes
    isBlob = (value) => typeof value === 'object' && value !== null && #bytes in value
  }

  constructor(parts = undefined, options = undefined) {
    if (parts === secret) {
      this.#bytes = options.bytes
      this.#type = options.type
      return
    }
    const list = parts === undefined ? [] : toParts(parts)
    const init = toDictionary(options, 'Blob options')
    const { endings: given } = init
    const endings = given === undefined ? 'transparent' : toText(given)
    if (endings !== 'transparent' && endings !== 'native') {
      throw new TypeError('"endings" must be "transparent" or "native"')
    }
    const { type: givenType } = init
    const type = givenType === undefined ? '' : toText(givenType)
    this.#bytes = partsToBytes(list, endings)
    this.#type = normalType(type)
  }

  get size() {
    return typedByteLength(this.#bytes)
  }
  get type() {
    return this.#type
  }
  slice(start = 0, end = undefined, type = '') {
    const size = typedByteLength(this.#bytes)
    const from = position(start, size)
    const to = end === undefined ? size : position(end, size)
    const bytes = subarray(this.#bytes, from, to < from ? from : to)
    return new Blob(secret, { bytes, type: normalType(toText(type)) })
  }
  arrayBuffer() {
    return promised(() => typedBuffer(copy(this.#bytes)))
  }
  bytes() {
    return promised(() => copy(this.#bytes))
  }
  text() {
    return promised(() => fromUtf8(this.#bytes))
  }
  stream() {
    return streamOfBytes(this.#bytes)
  }
}

const copy = (bytes) => concat([bytes])

/** `[Clamp] long long` of Web IDL: to the nearest integer, and to the even one of two. */
function position(value, size) {
  const number = Number(value)
  const low = Math.floor(number)
  const isUp = number - low > 0.5 || (number - low === 0.5 && low % 2 !== 0)
  const at = number === number ? (isUp ? low + 1 : low) : 0
  return at < 0 ? Math.max(size + at, 0) : Math.min(at, size)
}

/** Web IDL: an operation that returns a promise never throws. */
function promised(operation) {
  try {
    return resolved(operation())
  } catch (error) {
    return rejected(error)
  }
}
export class File extends Blob {
  #name
  #lastModified

  constructor(parts, name, options = undefined) {
    if (parts === secret) {
      super(secret, options)
      this.#name = name
      this.#lastModified = options.lastModified
      return
    }
    needArguments(arguments.length, 2, 'File constructor')
    super(parts, options)
    const { lastModified } = toDictionary(options, 'File options')
    this.#name = toScalarText(name)
    const time = lastModified === undefined ? Date.now() : Math.trunc(Number(lastModified))
    this.#lastModified = time === time && Math.abs(time) !== Infinity ? time : 0
  }
  get name() {
    return this.#name
  }
  get lastModified() {
    return this.#lastModified
  }
}

/** @param type is kept as it is. */
export const blobOfType = (bytes, type) => new Blob(secret, { bytes, type })
export const makeFile = (bytes, name, type, lastModified) =>
  new File(secret, name, { bytes, type: normalType(type), lastModified })
export const bytesOfBlobOrFile = (blob) => bytesOfBlob(blob)
export const isFile = (value) => isBlob(value) && value instanceof File

exposeInterface('Blob', Blob)
exposeInterface('File', File)
serializable.set(
  Blob.prototype,
  (blob) => new Blob(secret, { bytes: bytesOfBlob(blob), type: blob.type }),
)
serializable.set(File.prototype, (file) =>
  makeFile(bytesOfBlob(file), file.name, file.type, file.lastModified),
)

provide({ isBlob })
