/** TextEncoderStream and TextDecoderStream: https://encoding.spec.whatwg.org/#interface-textencoderstream */
import { charCodeAt, substring, typedByteLength } from './primordials.js'
import { exposeInterface, isObject, toText } from './web-idl.js'
import { toUtf8 } from './host.js'
import { bytesOf } from './blob.js'
import { TransformStream, readableOf, writableOf } from './streams.js'

const { TextDecoder } = globalThis

class TextEncoderStream {
  #transform

  constructor() {
    // The first half of a surrogate pair whose second half is in the next chunk.
    let pending = ''
    this.#transform = new TransformStream({
      transform(chunk, controller) {
        let text = pending + toText(chunk)
        pending = ''
        const last = text.length - 1
        const code = last >= 0 ? charCodeAt(text, last) : 0
        if (code >= 0xd800 && code <= 0xdbff) {
          pending = text[last]
          text = substring(text, 0, last)
        }
        if (text !== '') controller.enqueue(toUtf8(text))
      },
      flush(controller) {
        if (pending !== '') controller.enqueue(toUtf8(pending))
      },
    })
  }
  get encoding() {
    void this.#transform
    return 'utf-8'
  }
  get readable() {
    return readableOf(this.#transform)
  }
  get writable() {
    return writableOf(this.#transform)
  }
}

class TextDecoderStream {
  #transform
  #decoder

  constructor(label = 'utf-8', options = undefined) {
    const decoder = new TextDecoder(label, options)
    this.#decoder = decoder
    this.#transform = new TransformStream({
      transform(chunk, controller) {
        const bytes = isObject(chunk) ? bytesOf(chunk) : undefined
        if (bytes === undefined)
          throw new TypeError('A chunk must be an ArrayBuffer or a view of one')
        if (typedByteLength(bytes) === 0) return
        const text = decoder.decode(bytes, { stream: true })
        if (text !== '') controller.enqueue(text)
      },
      flush(controller) {
        const text = decoder.decode()
        if (text !== '') controller.enqueue(text)
      },
    })
  }
  get encoding() {
    return this.#decoder.encoding
  }
  get fatal() {
    return this.#decoder.fatal
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM
  }
  get readable() {
    return readableOf(this.#transform)
  }
  get writable() {
    return writableOf(this.#transform)
  }
}

exposeInterface('TextEncoderStream', TextEncoderStream)
exposeInterface('TextDecoderStream', TextDecoderStream)
