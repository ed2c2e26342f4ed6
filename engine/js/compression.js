/** CompressionStream and DecompressionStream: https://compression.spec.whatwg.org */
import { bytesOf } from './blob.js'
import { Codec } from './host.js'
import { typedByteLength } from './primordials.js'
import { TransformStream, readableOf, writableOf } from './streams.js'
import { exposeInterface, isObject, needArguments, toText } from './web-idl.js'

function makeTransform(codec) {
  const enqueue = (controller) => {
    const output = codec.take()
    if (output !== undefined) controller.enqueue(output)
  }
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = isObject(chunk) ? bytesOf(chunk) : undefined
      if (bytes === undefined)
        throw new TypeError('A chunk must be an ArrayBuffer or a view of one')
      const length = typedByteLength(bytes)
      for (let at = 0, end; at < length; at = end) {
        end = codec.push(bytes, at)
        enqueue(controller)
        if (end === at) return
      }
    },
    flush(controller) {
      codec.finish()
      enqueue(controller)
    },
  })
}

class CompressionStream {
  #transform

  constructor(format) {
    needArguments(arguments.length, 1, 'CompressionStream')
    this.#transform = makeTransform(new Codec(toText(format), false))
  }
  get readable() {
    return readableOf(this.#transform)
  }
  get writable() {
    return writableOf(this.#transform)
  }
}

class DecompressionStream {
  #transform

  constructor(format) {
    needArguments(arguments.length, 1, 'DecompressionStream')
    this.#transform = makeTransform(new Codec(toText(format), true))
  }
  get readable() {
    return readableOf(this.#transform)
  }
  get writable() {
    return writableOf(this.#transform)
  }
}

exposeInterface('CompressionStream', CompressionStream)
exposeInterface('DecompressionStream', DecompressionStream)
