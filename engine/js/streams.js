/** https://streams.spec.whatwg.org, from web-streams-polyfill; and the encoding streams and helpers on top of it. */
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from 'web-streams-polyfill'
import { defineProperty, subarray, typedByteLength } from './primordials.js'
import { define, platformPrototypes } from './web-idl.js'

const classes = {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
}
for (const [name, constructor] of Object.entries(classes)) {
  // Minifying changed it.
  defineProperty(constructor, 'name', { value: name, configurable: true })
  define(globalThis, name, constructor)
  platformPrototypes.add(constructor.prototype)
}

// The polyfill makes its iterators from a plain object.
const iterators = Object.getPrototypeOf(new ReadableStream().values())
delete iterators[Symbol.asyncIterator]
Object.setPrototypeOf(
  iterators,
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)),
)

const transformGetter = (name) =>
  Function.prototype.call.bind(Object.getOwnPropertyDescriptor(TransformStream.prototype, name).get)
export const readableOf = transformGetter('readable')
export const writableOf = transformGetter('writable')

const CHUNK = 65_536

/** A byte stream over bytes that are there. The chunks are copies: a reader may change or transfer them. */
export function streamOfBytes(bytes) {
  let at = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const size = typedByteLength(bytes)
      if (at >= size) {
        controller.close()
        controller.byobRequest?.respond(0)
        return
      }
      const end = Math.min(at + CHUNK, size)
      controller.enqueue(new Uint8Array(subarray(bytes, at, end)))
      at = end
    },
  })
}

export { ReadableStream, TransformStream, WritableStream }
