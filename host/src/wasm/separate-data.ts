/**
 * Separating a module's code from the first contents of its memory.
 *
 * The components of one engine differ in the contents of their memory only. Without these their modules are the same
 * bytes, which V8 compiles once and keeps once for all components and threads. A request that goes through several
 * components then runs one copy of the engine, which stays in the caches of the processor. With a copy for each component, the
 * gateway takes half as long again after another component has run on the same core.
 */
import { BinaryReader, encodeU32, readSections } from './binary.ts'
import { SECTION } from './module-shape.ts'
import { PAGE_BYTES } from './added-exports.ts'
import { readConstant, readSimpleType } from './scan-code.ts'

export interface SeparatedModule {
  /** The module with an empty memory and a page count of 0. */
  code: Buffer
  /** What its memory contains at first; shared, so that every thread uses the same. */
  image: Uint8Array
  /** The parts of the image that its segments fill. All else is zero. */
  filled: readonly Span[]
}

/** From the byte at `from` to the one before `to`. */
export interface Span {
  from: number
  to: number
}

/** Two segments this near count as one: the operating system gives a process whole pages of memory. Bytes. */
const NEAR = 4096

const DATA_COUNT = 12
const DATA = 11

/** A data segment: of the first memory, in use from the start. */
const ACTIVE = 0
const PASSIVE = 1

/**
 * @param module a module that {@link rewriteModule} made resettable. It has no start function and no instruction that reads
 * a data segment, so it does not need its segments after its memory is filled.
 * @returns `undefined` when a segment is of a kind that only the engine can place, or does not fit: it reports the error.
 */
export function separateData(module: Uint8Array): SeparatedModule | undefined {
  const sections = readSections(module)
  const startOf = (id: number) => sections.find((section) => section.id === id)?.start
  const [memoryAt, globalAt, dataAt] = [SECTION.memory, SECTION.global, DATA].map(startOf)
  if (memoryAt === undefined || globalAt === undefined) return undefined
  const memory = new BinaryReader(module, memoryAt)
  // The module's own, with a limit, and the marks.
  if (memory.u32() !== 2 || memory.byte() !== 1) return undefined
  const pages = memory.u32()
  const image = new Uint8Array(new SharedArrayBuffer(pages * PAGE_BYTES))
  const placed = dataAt === undefined ? [] : place(new BinaryReader(module, dataAt), image)
  if (placed === undefined) return undefined
  const parts: Uint8Array[] = [module.subarray(0, 8)]
  for (const { id, start, end } of sections) {
    if (id === DATA || id === DATA_COUNT) continue
    let body = module.subarray(start, end)
    if (id === SECTION.memory) {
      body = Buffer.concat([Buffer.from([2, 1, 0]), module.subarray(memory.at, end)])
    } else if (id === SECTION.global) {
      body = Buffer.concat([module.subarray(start, pageCountAt(module, start)), NO_PAGES])
    }
    parts.push(Buffer.from([id, ...encodeU32(body.length)]), body)
  }
  return { code: Buffer.concat(parts), image, filled: joined(placed) }
}

/** Copies the segments into the image. @returns where they are, or `undefined` if one of them could not be placed. */
function place(reader: BinaryReader, image: Uint8Array): Span[] | undefined {
  const placed: Span[] = []
  for (let left = reader.u32(); left > 0; left--) {
    const kind = reader.u32()
    if (kind !== ACTIVE && kind !== PASSIVE) return undefined
    const at = kind === ACTIVE ? readAddress(reader) : 0
    if (at === undefined) return undefined
    const size = reader.u32()
    const start = reader.at
    reader.skip(size)
    if (kind === PASSIVE) continue
    if (at + size > image.length) return undefined
    image.set(reader.bytes.subarray(start, reader.at), at)
    if (size > 0) placed.push({ from: at, to: at + size })
  }
  return placed
}

function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && from - last.to < NEAR) last.to = Math.max(last.to, to)
    else result.push({ from, to })
  }
  return result
}

const I32_CONST = 0x41
const END = 0x0b

/** @returns `undefined` for an address that is computed. */
function readAddress(reader: BinaryReader): number | undefined {
  if (reader.byte() !== I32_CONST) return undefined
  let value = 0
  let byte = 0
  for (let shift = 0; shift < 35; shift += 7) {
    byte = reader.byte()
    value |= (byte & 127) << shift
    if (byte >= 128) continue
    // A number of fewer bits is signed; as an address it is far out of the memory then.
    if (shift < 28 && (byte & 64) !== 0) value |= -1 << (shift + 7)
    break
  }
  return reader.byte() === END ? value >>> 0 : undefined
}

/** Where the last global is, which is the page count that the rewriting has added. */
function pageCountAt(module: Uint8Array, start: number): number {
  const reader = new BinaryReader(module, start)
  let last = reader.at
  for (let left = reader.u32(); left > 0; left--) {
    last = reader.at
    readSimpleType(reader)
    reader.byte()
    readConstant(reader)
  }
  return last
}

/** A global of type i32 that changes, at first 0. */
const NO_PAGES = Buffer.from([0x7f, 1, I32_CONST, 0, END])
