/**
 * Reading and writing the binary format of WebAssembly.
 * @see https://webassembly.github.io/spec/core/binary/
 */

/** The file is not what its format says; `message` goes to the user behind the file's name. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError'
}

/** Bytes of the longest number, one of 64 bits. */
const MAX_NUMBER_BYTES = 10

export class BinaryReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    const value = this.bytes[this.at]
    if (value === undefined) throw new BinaryError('is cut off')
    this.at++
    return value
  }

  /** An unsigned number of 32 bits. Linkers pad it to five bytes; longer ones are not valid. */
  u32(): number {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    const last = this.byte()
    if (last > 15) throw new BinaryError('has a number that is too long')
    return value + last * 2 ** 28
  }

  /** Skips one number of at most 64 bits, of either sign. */
  skipNumber(): void {
    for (let left = MAX_NUMBER_BYTES; left > 0; left--) if (this.byte() < 128) return
    throw new BinaryError('has a number that is too long')
  }

  skip(count: number): void {
    this.at += count
    if (this.at > this.bytes.length) throw new BinaryError('is cut off')
  }

  skipName(): void {
    this.skip(this.u32())
  }

  name(): string {
    const size = this.u32()
    const start = this.at
    this.skip(size)
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, size).toString()
  }
}

export interface Section {
  id: number
  start: number
  end: number
}

/** The sections behind the eight bytes of magic and version. */
export function readSections(bytes: Uint8Array): Section[] {
  const reader = new BinaryReader(bytes, 8)
  const sections: Section[] = []
  while (reader.at < bytes.length) {
    const id = reader.byte()
    const size = reader.u32()
    const start = reader.at
    reader.skip(size)
    sections.push({ id, start, end: reader.at })
  }
  return sections
}

export function encodeU32(value: number): number[] {
  const out: number[] = []
  do {
    const low = value % 128
    value = Math.floor(value / 128)
    out.push(value > 0 ? low + 128 : low)
  } while (value > 0)
  return out
}

/** A non-negative number in the signed encoding of `i32.const`. */
export function encodeS32(value: number): number[] {
  const out = encodeU32(value)
  // The last byte's bit 6 is the sign.
  const last = out.at(-1) ?? 0
  if (last >= 64) out.splice(-1, 1, last + 128, 0)
  return out
}

export function encodeName(name: string): number[] {
  const bytes = [...Buffer.from(name)]
  return [...encodeU32(bytes.length), ...bytes]
}
