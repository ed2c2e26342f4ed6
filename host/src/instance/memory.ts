/**
 * Reading and writing a guest's linear memory in the layout of the canonical ABI.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md
 */
import type { MemoryMarks } from './memory-marks.ts'
import { Trap } from './trap.ts'

export type Realloc = (oldAt: number, oldSize: number, alignment: number, size: number) => number

/** Where an empty list points: any aligned address will do, and the guest never reads there. */
const EMPTY_LIST = 8

export class GuestMemory {
  #memory: WebAssembly.Memory | undefined
  #realloc: Realloc | undefined
  #buffer = new ArrayBuffer(0)
  #bytes = Buffer.from(this.#buffer)
  #view = new DataView(this.#buffer)
  #marks: MemoryMarks | undefined
  /** The guest's allocator runs. One that fails ends the guest, so that this is not reset then. */
  allocating = false

  /** What the host writes is marked there, as what the guest writes is. */
  markIn(marks: MemoryMarks): void {
    this.#marks = marks
  }

  /** Binds the memory and allocator of a new instance; the imports exist before the instance does. */
  attach(memory: WebAssembly.Memory, realloc: Realloc): void {
    this.#memory = memory
    this.#realloc = realloc
    this.#bytes = Buffer.from(new ArrayBuffer(0))
  }

  u32(at: number): number {
    this.#refresh()
    return this.#view.getUint32(at, true)
  }

  setU8(at: number, value: number): void {
    this.#refresh()
    this.#marks?.mark(at, 1)
    this.#view.setUint8(at, value)
  }

  setU16(at: number, value: number): void {
    this.#refresh()
    this.#marks?.mark(at, 2)
    this.#view.setUint16(at, value, true)
  }

  setU32(at: number, value: number): void {
    this.#refresh()
    this.#marks?.mark(at, 4)
    this.#view.setUint32(at, value, true)
  }

  /** @param value a number must be an integer that is not negative. */
  setU64(at: number, value: bigint | number): void {
    this.#refresh()
    this.#marks?.mark(at, 8)
    if (typeof value === 'bigint') return this.#view.setBigUint64(at, value, true)
    this.#view.setUint32(at, value, true)
    this.#view.setUint32(at + 4, value / 2 ** 32, true)
  }

  zero(at: number, size: number): void {
    this.#span(at, size)
    this.#marks?.mark(at, size)
    this.#bytes.fill(0, at, at + size)
  }

  /** Writes where the guest has made room. */
  fill(at: number, bytes: Uint8Array): void {
    this.#span(at, bytes.length)
    this.#marks?.mark(at, bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** A copy: the guest may reuse the space as soon as the call returns. */
  bytes(at: number, size: number): Uint8Array {
    this.#span(at, size)
    return new Uint8Array(this.#buffer, at, size).slice()
  }

  string(at: number, size: number): string {
    this.#span(at, size)
    return this.#bytes.toString('utf8', at, at + size)
  }

  /** Bytes as a string of the same length, the form in which header values travel through the host. */
  latin1(at: number, size: number): string {
    this.#span(at, size)
    return this.#bytes.toString('latin1', at, at + size)
  }

  /** Space in the guest for a list of `count` elements. */
  allocate(count: number, size: number, alignment = 4): number {
    if (count === 0) return EMPTY_LIST
    if (this.#realloc === undefined) throw new Trap('call before the instance was ready')
    this.allocating = true
    const at = this.#realloc(0, 0, alignment, count * size) >>> 0
    this.allocating = false
    return at
  }

  /** Writes the pointer and length of `bytes` at `at`. */
  setBytes(at: number, bytes: Uint8Array): void {
    const to = this.allocate(bytes.length, 1, 1)
    this.#refresh()
    this.#marks?.mark(to, bytes.length)
    this.#bytes.set(bytes, to)
    this.setList(at, to, bytes.length)
  }

  setString(at: number, text: string): void {
    this.#setText(at, text, Buffer.byteLength(text), 'utf8')
  }

  setLatin1(at: number, text: string): void {
    this.#setText(at, text, text.length, 'latin1')
  }

  setList(at: number, to: number, count: number): void {
    this.setU32(at, to)
    this.setU32(at + 4, count)
  }

  /** An `option<string>`. */
  setOptionalString(at: number, text: string | undefined): void {
    if (text !== undefined) this.setString(at + 4, text)
    this.setU8(at, text === undefined ? 0 : 1)
  }

  #setText(at: number, text: string, size: number, encoding: 'utf8' | 'latin1'): void {
    const to = this.allocate(size, 1, 1)
    this.#refresh()
    this.#marks?.mark(to, size)
    this.#bytes.write(text, to, size, encoding)
    this.setList(at, to, size)
  }

  #span(at: number, size: number): void {
    this.#refresh()
    if (at < 0 || size < 0 || at + size > this.#buffer.byteLength) {
      throw new Trap('pointer out of bounds')
    }
  }

  // A memory that grows gets a new buffer, and the old one is empty. To ask for its length is cheaper than to ask the
  // memory for its buffer, and this runs hundreds of times in a request.
  #refresh(): void {
    if (this.#bytes.length !== 0) return
    const buffer = this.#memory?.buffer
    if (buffer === undefined) return
    this.#buffer = buffer
    this.#bytes = Buffer.from(this.#buffer)
    this.#view = new DataView(this.#buffer)
  }
}
