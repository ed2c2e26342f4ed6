/** Giving a core module's memory an upper limit. */
import { BinaryError, encodeU32 } from './binary.ts'
import { readMemory, SECTION } from './module-shape.ts'
import { PAGE_BYTES } from './added-exports.ts'

/**
 * @param memoryLimit bytes the memory may grow to.
 * @throws {BinaryError} when the module has no plain memory of its own, or starts above the limit.
 */
export function limitMemory(module: Uint8Array, memoryLimit: number): Buffer {
  const { section, minPages, maxPages = Infinity } = readMemory(module)
  const limit = Math.min(Math.floor(memoryLimit / PAGE_BYTES), maxPages, 65_536)
  if (minPages > limit) {
    const need = Math.ceil((minPages * PAGE_BYTES) / 1024 / 1024)
    throw new BinaryError(`needs ${need} MiB of memory to start, more than the limit`)
  }
  const body = [1, 1, ...encodeU32(minPages), ...encodeU32(limit)]
  const head = section.start - 1 - encodedSize(module, section.start)
  return Buffer.concat([
    module.subarray(0, head),
    Buffer.from([SECTION.memory, ...encodeU32(body.length), ...body]),
    module.subarray(section.end),
  ])
}

// How many bytes the size in front of a section takes: linkers may pad it to five.
function encodedSize(module: Uint8Array, start: number): number {
  let size = 1
  while (((module[start - 1 - size] ?? 0) & 128) !== 0) size++
  return size
}
