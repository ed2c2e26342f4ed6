/** What the native Request, Response and fetch need of streams, blobs and forms. */
import {
  SafePromise,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  matches,
  ownKeys,
  rejected,
  then,
  typedByteLength,
  typedTag,
} from './primordials.js'
import { isObject, toText } from './web-idl.js'
import { provide, toUtf8 } from './host.js'
import { blobOfType, bytesOfBlobOrFile, concat, isBlob } from './blob.js'
import { isFormData } from './form-data.js'
import { encodeMultipart, parseMultipart } from './multipart.js'
import { parseUrlEncoded } from './urlencoded.js'
import { extractMimeType, serializeMimeType } from './mime-type.js'
import { clone } from './structured-clone.js'
import { ReadableStream, TransformStream } from './streams.js'

const { ReadableByteStreamController } = globalThis
const method = (object, name) => Function.prototype.call.bind(object[name])
const prototype = ReadableStream.prototype
const getReader = method(prototype, 'getReader')
const teeStream = method(prototype, 'tee')
const pipeThrough = method(prototype, 'pipeThrough')
const cancelStream = method(prototype, 'cancel')
const isLocked = Function.prototype.call.bind(
  Object.getOwnPropertyDescriptor(prototype, 'locked').get,
)
const readerPrototype = getPrototypeOf(new ReadableStream().getReader())
const read = method(readerPrototype, 'read')
const cancelReader = method(readerPrototype, 'cancel')
const releaseLock = method(readerPrototype, 'releaseLock')

// The polyfill marks its objects with this property; a class that only extends ReadableStream.prototype has none.
export const isReadableStream = (value) =>
  isObject(value) && hasOwn(value, '_readableStreamController')

/**
 * A byte stream whose source is native.
 * @param pull returns a promise of a Uint8Array that nothing else uses, or of null at the end.
 */
function makeBodyStream(pull, cancel) {
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      return then(pull(), (chunk) => {
        if (chunk === null || chunk === undefined) {
          controller.close()
          controller.byobRequest?.respond(0)
        } else if (typedByteLength(chunk) > 0) controller.enqueue(chunk)
        // An empty chunk fulfils no read, and a source that enqueues nothing is not asked again.
        else return this.pull(controller)
      })
    },
    cancel(reason) {
      return cancel === undefined ? undefined : cancel(reason)
    },
  })
}

const checkChunk = (chunk) => {
  if (isObject(chunk) && typedTag(chunk) === 'Uint8Array') return chunk
  throw new TypeError('A chunk of a body must be a Uint8Array')
}

const used = () => new TypeError('The body is locked or was read already')

/** @returns `read()` for the next bytes, null at the end, and `cancel(reason)`. @throws TypeError for a locked stream. */
export function readerOf(stream) {
  if (isLocked(stream)) throw used()
  const reader = getReader(stream)
  const next = ({ done, value }) => {
    if (done) return null
    try {
      return checkChunk(value)
    } catch (error) {
      quiet(cancelReader(reader, error))
      throw error
    }
  }
  return {
    read: () => then(read(reader), next),
    cancel: (reason) => cancelReader(reader, reason),
    release: () => releaseLock(reader),
  }
}

const ignore = () => {}
const quiet = (promise) => then(promise, ignore, ignore)

/** All bytes of a stream, which it locks for good. */
function readAll(stream) {
  if (isLocked(stream) || stream._disturbed) return rejected(used())
  const reader = readerOf(stream)
  const parts = []
  return new SafePromise((resolve, reject) => {
    const next = (bytes) => {
      if (bytes === null) {
        resolve(parts.length === 1 ? parts[0] : concat(parts))
        return
      }
      parts[parts.length] = bytes
      then(then(reader.read(), next), undefined, reject)
    }
    then(then(reader.read(), next), undefined, reject)
  })
}

const FORM_TYPE = 'application/x-www-form-urlencoded;charset=UTF-8'

/** `{ bytes, type }` of a Blob, FormData or URLSearchParams, `{ stream }` of a stream; undefined for all else. */
function encodeBody(value) {
  if (!isObject(value)) return undefined
  if (isReadableStream(value)) {
    if (isLocked(value) || value._disturbed) throw used()
    return { stream: value, type: undefined }
  }
  if (isBlob(value)) return { bytes: bytesOfBlobOrFile(value), type: value.type || undefined }
  if (isFormData(value)) return encodeMultipart(value)
  if (typeof URLSearchParams === 'function' && value instanceof URLSearchParams) {
    return { bytes: toUtf8(`${value}`), type: FORM_TYPE }
  }
  return undefined
}

/** @throws TypeError when the type is not one of a form, or the bytes are not of the type. */
function parseForm(bytes, contentType) {
  const type = extractMimeType(contentType ?? '')
  if (type?.essence === 'multipart/form-data')
    return parseMultipart(bytes, type.parameters.get('boundary'))
  if (type?.essence === 'application/x-www-form-urlencoded') return parseUrlEncoded(bytes)
  throw new TypeError(
    'The body is not a form: its Content-Type must be multipart/form-data or application/x-www-form-urlencoded',
  )
}

function makeBodyBlob(bytes, contentType) {
  const type = extractMimeType(contentType ?? '')
  return blobOfType(bytes, type === undefined ? '' : serializeMimeType(type))
}

const mapped = (stream, change) =>
  pipeThrough(
    stream,
    new TransformStream({
      transform: (chunk, controller) => controller.enqueue(change(chunk)),
    }),
  )

/** Two streams of a body. A reader of one may change its chunks, so the other has copies. */
function tee(stream) {
  // A byte stream makes copies itself.
  if (stream._readableStreamController instanceof ReadableByteStreamController) {
    return teeStream(stream)
  }
  // Both are made before anything reads one.
  const [first, second] = teeStream(mapped(stream, (chunk) => ({ chunk, copy: clone(chunk) })))
  return [mapped(first, ({ chunk }) => chunk), mapped(second, ({ copy }) => copy)]
}

/** The stream of a body that the host sends. `source` has `pull()` and `close()`. */
const streamOfSource = (source) =>
  makeBodyStream(
    async () => source.pull(),
    () => source.close(),
  )

function streamOfBytes(bytes) {
  let rest = bytes
  const pull = () => {
    const chunk = rest
    rest = null
    return chunk
  }
  return makeBodyStream(
    async () => pull(),
    () => pull(),
  )
}

/** The stream of a body that was read as a whole: locked, and at its end. */
function usedStream() {
  const stream = new ReadableStream({ type: 'bytes', start: (controller) => controller.close() })
  getReader(stream)
  return stream
}

/** The fields of a record in the order of Web IDL, where asking for them can run JavaScript. */
function recordEntries(record) {
  const entries = []
  const keys = ownKeys(record)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]
    if (!getOwnPropertyDescriptor(record, key)?.enumerable) continue
    if (matches(/[^\0-\xff]/, toText(key))) throw new TypeError('A header has an invalid name')
    const value = toText(record[key])
    if (matches(/[^\0-\xff]/, value)) throw new TypeError('A header has an invalid value')
    entries[entries.length] = [key, value]
  }
  return entries
}

provide({
  recordEntries,
  makeBodyStream,
  streamOfSource,
  streamOfBytes,
  usedStream,
  isReadableStream,
  lockedOrDisturbed: (stream) => isLocked(stream) || Boolean(stream._disturbed),
  isLocked: (stream) => isLocked(stream),
  isDisturbed: (stream) => Boolean(stream._disturbed),
  readAll,
  readerOf,
  tee,
  cancel: (stream, reason) => cancelStream(stream, reason),
  encodeBody,
  makeBlob: makeBodyBlob,
  parseForm,
  isFormData,
})
