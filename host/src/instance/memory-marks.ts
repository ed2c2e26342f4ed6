import { MARKED_BYTES } from '../wasm/added-exports.ts'
import type { FirstMemory } from './first-memory.ts'

/** Bytes by which a store may reach into the piece behind the one it marks: a vector's sixteen, less one. */
const OVERLAP = 15

/** Which pieces of an instance's memory were written since it was new. See {@link rewriteModule}. */
export class MemoryMarks {
  readonly #marks: Uint8Array
  /** The same, four at a time: most of them are zero. */
  readonly #fours: Uint32Array

  /** @param memory the module's second one; it never grows. */
  constructor({ buffer }: WebAssembly.Memory) {
    this.#marks = new Uint8Array(buffer)
    this.#fours = new Uint32Array(buffer)
  }

  /** The host writes there. */
  mark(at: number, size: number): void {
    if (size === 0) return
    const last = Math.floor((at + size - 1) / MARKED_BYTES)
    for (let piece = Math.floor(at / MARKED_BYTES); piece <= last; piece++) this.#marks[piece] = 1
  }

  /** Makes `memory` what it was at first, and zeros where it has grown since. */
  restore(memory: Uint8Array, image: FirstMemory): void {
    const fours = this.#fours
    const marks = this.#marks
    const count = memory.length / MARKED_BYTES / 4
    // Written pieces lie side by side: a copy for each run of them is half as many copies.
    let from = -1
    for (let four = 0; four < count; four++) {
      if (fours[four] === 0) {
        if (from < 0) continue
        restoreRun(memory, image, from, 4 * four)
        from = -1
        continue
      }
      for (let piece = 4 * four; piece < 4 * four + 4; piece++) {
        if (marks[piece] !== 0) {
          if (from < 0) from = piece
        } else if (from >= 0) {
          restoreRun(memory, image, from, piece)
          from = -1
        }
      }
      fours[four] = 0
    }
    if (from >= 0) restoreRun(memory, image, from, 4 * count)
  }
}

/** @param last the first piece behind the run. */
function restoreRun(memory: Uint8Array, image: FirstMemory, first: number, last: number): void {
  const from = first * MARKED_BYTES
  const to = Math.min(last * MARKED_BYTES + OVERLAP, memory.length)
  if (from < image.bytes.length) memory.set(image.part(from, to), from)
  if (to > image.bytes.length) memory.fill(0, Math.max(from, image.bytes.length), to)
}
