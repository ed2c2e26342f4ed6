/**
 * Making a core module resettable, so that one instance can serve many requests in turn.
 *
 * A fresh instance takes 3 ms, a reset a tenth of one. What a reset must put back is the memory, which the
 * host can write, and the mutable globals, which the rewriting exports. A memory cannot shrink, so
 * `memory.size` and `memory.grow` are replaced by functions over a page count of the guest's own: after a
 * reset the guest's allocator sees the size it started with. Of 10 MB a request changes a few hundred kilobytes, and
 * copying the rest would cost more than the request: so every store also marks its page, in a second memory, and
 * a reset puts back the pages that are marked.
 */
import { BinaryReader, encodeName, encodeS32, encodeU32 } from './binary.ts'
import { type ModuleShape, readMemory, readShape, SECTION } from './module-shape.ts'
import { MARKED_BYTES, MARKS_EXPORT, PAGE_COUNT_EXPORT, STATE_EXPORT } from './added-exports.ts'
import { rewriteCode } from './rewrite-code.ts'

/** @throws {NotResettable} for a module that must serve each request from a fresh instance. */
export function makeResettable(module: Buffer): Buffer {
  const shape = readShape(module)
  const { minPages, maxPages = 65_536 } = readMemory(module)
  const { types, functions, globals: pages } = shape
  const appended = {
    growFunction: functions,
    sizeFunction: functions + 1,
    markFunction: functions + 2,
    pages,
  }
  const i32 = 0x7f
  const marks = encodeU32(Math.ceil(maxPages / MARKED_BYTES))
  const additions: Record<number, [count: number, bytes: number[]]> = {
    [SECTION.type]: [3, [0x60, 1, i32, 1, i32, 0x60, 0, 1, i32, 0x60, 2, i32, i32, 0]],
    [SECTION.function]: [3, [types, types + 1, types + 2].flatMap(encodeU32)],
    [SECTION.memory]: [1, [1, ...marks, ...marks]],
    [SECTION.global]: [1, [i32, 1, 0x41, ...encodeS32(minPages), 0x0b]],
    [SECTION.export]: exportsOf(shape, pages),
  }
  const parts: Uint8Array[] = [module.subarray(0, 8)]
  for (const { id, start, end } of shape.sections) {
    const addition = additions[id]
    let body: Buffer
    if (id === SECTION.code) {
      body = rewriteCode(module, shape, appended)
    } else if (addition) {
      const reader = new BinaryReader(module, start)
      const count = encodeU32(reader.u32() + addition[0])
      body = Buffer.concat([
        Buffer.from(count),
        module.subarray(reader.at, end),
        Buffer.from(addition[1]),
      ])
    } else body = module.subarray(start, end)
    parts.push(Buffer.from([id, ...encodeU32(body.length)]), body)
  }
  return Buffer.concat(parts)
}

function exportsOf({ mutableGlobals }: ModuleShape, pages: number): [number, number[]] {
  const globalKind = 3
  const entries = mutableGlobals.map((index) => [
    ...encodeName(`${STATE_EXPORT}${index}`),
    globalKind,
    ...encodeU32(index),
  ])
  entries.push([...encodeName(PAGE_COUNT_EXPORT), globalKind, ...encodeU32(pages)])
  const memoryKind = 2
  entries.push([...encodeName(MARKS_EXPORT), memoryKind, 1])
  return [entries.length, entries.flat()]
}
