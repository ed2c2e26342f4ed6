/**
 * Making a core module resettable, so that one instance can serve many requests in turn.
 *
 * A fresh instance takes 3 ms, a reset a quarter of one. What a reset must put back is the memory, which the
 * host can write, and the mutable globals, which the rewriting exports. A memory cannot shrink, so
 * `memory.size` and `memory.grow` are replaced by functions over a page count of the guest's own: after a
 * reset the guest's allocator sees the size it started with.
 *
 * @module
 */
import { BinaryError, BinaryReader, encodeName, encodeS32, encodeU32 } from './binary.ts'
import { limitMemory } from './limit-memory.ts'
import {
  exportNames,
  type ModuleShape,
  readMemory,
  readShape,
  SECTION,
  sectionOf,
} from './module-shape.ts'
import { PAGE_COUNT_EXPORT, RESERVED, STATE_EXPORT } from './names.ts'
import { NotResettable, readSimpleType, scanCode } from './scan-code.ts'

export interface Rewritten {
  bytes: Buffer
  /** Why the module got a memory limit only, and serves each request from a fresh instance. */
  notResettable: string | undefined
}

/**
 * @param memoryLimit bytes an instance may take.
 * @throws {BinaryError} when the module cannot be run at all.
 */
export function rewriteModule(module: Uint8Array, memoryLimit: number): Rewritten {
  const reserved = exportNames(module).find((name) => name.startsWith(RESERVED))
  if (reserved) throw new BinaryError(`exports "${reserved}", a name this host keeps for itself`)
  const limited = limitMemory(module, memoryLimit)
  try {
    return { bytes: makeResettable(limited), notResettable: undefined }
  } catch (error) {
    if (!(error instanceof NotResettable)) throw error
    return { bytes: limited, notResettable: error.message }
  }
}

function makeResettable(module: Buffer): Buffer {
  const shape = readShape(module)
  const { minPages } = readMemory(module)
  const growFunction = shape.functions
  const sizeFunction = growFunction + 1
  const pages = shape.globals
  const i32 = 0x7f
  const additions: Record<number, [count: number, bytes: number[]]> = {
    [SECTION.type]: [2, [0x60, 1, i32, 1, i32, 0x60, 0, 1, i32]],
    [SECTION.function]: [2, [...encodeU32(shape.types), ...encodeU32(shape.types + 1)]],
    [SECTION.global]: [1, [i32, 1, 0x41, ...encodeS32(minPages), 0x0b]],
    [SECTION.export]: exportsOf(shape, pages),
  }
  const parts: Uint8Array[] = [module.subarray(0, 8)]
  for (const { id, start, end } of shape.sections) {
    const addition = additions[id]
    let body: Buffer
    if (id === SECTION.code) {
      body = rewriteCode(module, shape, { growFunction, sizeFunction, pages })
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
  return [entries.length, entries.flat()]
}

interface Appended {
  growFunction: number
  sizeFunction: number
  pages: number
}

function rewriteCode(module: Buffer, { sections }: ModuleShape, appended: Appended): Buffer {
  const { start, end } = sectionOf(sections, SECTION.code)
  const reader = new BinaryReader(module, start)
  const count = reader.u32()
  const parts: Uint8Array[] = [Buffer.from(encodeU32(count + 2))]
  let copied = reader.at
  for (let left = count; left > 0; left--) {
    const head = reader.at
    const size = reader.u32()
    const bodyStart = reader.at
    const bodyEnd = bodyStart + size
    for (let groups = reader.u32(); groups > 0; groups--) {
      reader.skipNumber()
      readSimpleType(reader)
    }
    const found = scanCode(reader, bodyEnd)
    if (found.length === 0) continue
    const body: Uint8Array[] = []
    let from = bodyStart
    for (const { at, kind } of found) {
      const target = kind === 'grow' ? appended.growFunction : appended.sizeFunction
      body.push(module.subarray(from, at), Buffer.from([0x10, ...encodeU32(target)]))
      from = at + 2
    }
    body.push(module.subarray(from, bodyEnd))
    const rewritten = Buffer.concat(body)
    parts.push(module.subarray(copied, head), Buffer.from(encodeU32(rewritten.length)), rewritten)
    copied = bodyEnd
  }
  parts.push(module.subarray(copied, end))
  for (const code of [growCode(appended.pages), sizeCode(appended.pages)]) {
    parts.push(Buffer.from([...encodeU32(code.length), ...code]))
  }
  return Buffer.concat(parts)
}

function sizeCode(pages: number): number[] {
  return [0, 0x23, ...encodeU32(pages), 0x0b]
}

/** In words: add to the page count, growing the real memory only by what it lacks; -1 where it cannot. */
function growCode(pages: number): number[] {
  const before = 1
  const after = 2
  const fail = [0x41, 0x7f, 0x0f] // return -1
  return [
    ...[1, 2, 0x7f], // two locals: before, after
    ...[0x23, ...encodeU32(pages), 0x22, before], // before = pages
    ...[0x20, 0, 0x6a, 0x22, after], // after = before + delta
    ...[0x20, before, 0x49, 0x04, 0x40, ...fail, 0x0b], // if after < before, it wrapped
    ...[0x20, after, 0x3f, 0, 0x4b, 0x04, 0x40], // if after > memory.size
    ...[0x20, after, 0x3f, 0, 0x6b, 0x40, 0, 0x41, 0x7f, 0x46], // if memory.grow(after - size) = -1
    ...[0x04, 0x40, ...fail, 0x0b, 0x0b],
    ...[0x20, after, 0x24, ...encodeU32(pages), 0x20, before, 0x0b], // pages = after; return before
  ]
}
