/**
 * Removes the text from a PNG while it is streamed.
 *
 * ComfyUI writes the whole workflow, prompt and model names included, into text chunks of every picture, so every
 * client that gets the picture gets those too. Each such chunk is replaced by a chunk of zeros of the same length,
 * which every reader skips. Removing it would change the length of the file; this way `content-length`, ranges and
 * `HEAD` stay correct without reading the file first.
 *
 * At most the head of one chunk is held back, and no picture data is copied. A file that is not a PNG passes
 * unchanged, and a truncated PNG stays truncated. Filtering a file twice gives the same result.
 *
 * @see https://www.w3.org/TR/png-3/#5DataRep
 */
import { crcWithZeros } from './zeros-crc.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Length and type before the data of a chunk, checksum after it. */
const HEAD_BYTES = 8
const CRC_BYTES = 4

/** Text in its three forms, and what ComfyUI writes into animated pictures. */
const TEXT_CHUNKS = ['tEXt', 'zTXt', 'iTXt', 'comf']
/** Ancillary, private, safe to copy: no reader knows this type, so every reader skips it. */
const BLANK_CHUNK = new TextEncoder().encode('blNk')

/** The filter without a stream around it. */
export class PngTextFilter {
  /** Bytes of the signature or of a head that has not come completely. */
  #held = new Uint8Array(0)
  #state: 'signature' | 'head' | 'data' | 'blank' | 'checksum' | 'rest' = 'signature'
  /** Bytes left in this state. */
  #left = SIGNATURE.length
  #checksum = new Uint8Array(0)

  /** Takes the next bytes of the file and returns the pieces that can be passed on. The total length is unchanged. */
  push(bytes: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = []
    let at = 0
    while (at < bytes.length) {
      if (this.#state === 'rest') {
        out.push(bytes.subarray(at))
        break
      }
      const part = bytes.subarray(at, at + this.#left)
      at += part.length
      this.#left -= part.length
      this.#pass(part, out)
    }
    return out
  }

  /** Ends the file. @returns what was held of an incomplete head. */
  end(): Uint8Array[] {
    return this.#held.length > 0 ? [this.#held] : []
  }

  #pass(part: Uint8Array, out: Uint8Array[]): void {
    switch (this.#state) {
      case 'data':
        out.push(part)
        break
      case 'blank':
        out.push(new Uint8Array(part.length))
        break
      case 'checksum': {
        const from = CRC_BYTES - this.#left - part.length
        out.push(this.#checksum.slice(from, from + part.length))
        break
      }
      default:
        this.#held = joined(this.#held, part)
    }
    if (this.#left === 0) this.#next(out)
  }

  #next(out: Uint8Array[]): void {
    const held = this.#held
    if (this.#state === 'blank') return this.#enter('checksum', CRC_BYTES)
    if (this.#state === 'data' || this.#state === 'checksum') return this.#enter('head', HEAD_BYTES)
    this.#held = new Uint8Array(0)
    out.push(held)
    if (this.#state === 'signature') {
      const isPng = SIGNATURE.every((byte, index) => held[index] === byte)
      return isPng ? this.#enter('head', HEAD_BYTES) : this.#enter('rest', Infinity)
    }
    const length = new DataView(held.buffer).getUint32(0)
    const type = String.fromCharCode(...held.subarray(4))
    if (!TEXT_CHUNKS.includes(type)) return this.#enter('data', length + CRC_BYTES)
    held.set(BLANK_CHUNK, 4)
    const checksum = new DataView(new ArrayBuffer(CRC_BYTES))
    checksum.setUint32(0, crcWithZeros(BLANK_CHUNK, length))
    this.#checksum = new Uint8Array(checksum.buffer)
    if (length > 0) this.#enter('blank', length)
    else this.#enter('checksum', CRC_BYTES)
  }

  #enter(state: 'head' | 'data' | 'blank' | 'checksum' | 'rest', bytes: number): void {
    this.#state = state
    this.#left = bytes
  }
}

/**
 * The filter as a stream.
 *
 * @example
 * new Response(answer.body.pipeThrough(stripPngText()), { headers })
 */
export function stripPngText(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const filter = new PngTextFilter()
  return new TransformStream({
    transform(bytes, controller) {
      for (const piece of filter.push(bytes)) controller.enqueue(piece as Uint8Array<ArrayBuffer>)
    },
    flush(controller) {
      for (const piece of filter.end()) controller.enqueue(piece as Uint8Array<ArrayBuffer>)
    },
  })
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
