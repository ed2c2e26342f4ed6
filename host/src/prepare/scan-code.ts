/**
 * Walking over the instructions of a function, to find those that matter for resetting an instance.
 *
 * @module
 * @see https://webassembly.github.io/spec/core/binary/instructions.html
 */
import { BinaryError, type BinaryReader } from './binary.ts'
import type { StoredType } from './rewrite-code.ts'

/** Its bytes lie from `at` to `end`. */
export type MemoryInstruction = { at: number; end: number } & (
  | { kind: 'size' }
  | { kind: 'grow' }
  | { kind: 'store'; type: StoredType; offset: number }
  /** memory.copy and memory.fill. */
  | { kind: 'range' }
)

/** Why a module cannot be reset: it has state that the host cannot put back. */
export class NotResettable extends BinaryError {
  override readonly message: string

  constructor(reason: string) {
    super(reason)
    this.message = reason
  }
}

type Immediates = (reader: BinaryReader) => void

const number: Immediates = (reader) => reader.skipNumber()
const twoNumbers: Immediates = (reader) => {
  reader.skipNumber()
  reader.skipNumber()
}
const bytes =
  (count: number): Immediates =>
  (reader) =>
    reader.skip(count)
const refuse =
  (what: string): Immediates =>
  () => {
    throw new NotResettable(`uses ${what}`)
  }
const memoryArgument: Immediates = (reader) => {
  const alignment = reader.u32()
  if (alignment >= 64) throw new NotResettable('uses several memories')
  reader.skipNumber()
}
const numberList: Immediates = (reader) => {
  for (let left = reader.u32() + 1; left > 0; left--) reader.skipNumber()
}

const MEMORY_SIZE = 0x3f
const MEMORY_GROW = 0x40

const VALUE_TYPES = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f])

/**
 * Reads a type of one byte.
 *
 * @throws {NotResettable} at one that takes more: a reference into a type of the module's own.
 */
export function readSimpleType(reader: BinaryReader): void {
  if (!VALUE_TYPES.has(reader.byte())) throw new NotResettable('uses types of the collector')
}

/** @returns how many there are. */
export function readSimpleTypes(reader: BinaryReader): number {
  const count = reader.u32()
  for (let left = count; left > 0; left--) readSimpleType(reader)
  return count
}

// A type of one byte, or the number of a function type.
const blockType: Immediates = (reader) => {
  const byte = reader.bytes[reader.at] ?? 0
  if (byte < 0x40 || byte >= 0x80) reader.skipNumber()
  else if (byte === 0x40) reader.skip(1)
  else readSimpleType(reader)
}
const nothing: Immediates = () => {}
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)
const each = (ops: number[], read: Immediates) => ops.map((op): [number, Immediates] => [op, read])

/** Every instruction a resettable module may have. */
const INSTRUCTIONS = new Map<number, Immediates>([
  // unreachable, nop, else, end, return, drop, select, arithmetic, ref.is_null
  ...each([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, ...range(0x45, 0xc4), 0xd1], nothing),
  ...each([0x02, 0x03, 0x04], blockType),
  ...each([0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f], refuse('exceptions')),
  ...each([0x0c, 0x0d, 0x10, 0x12], number), // br, call
  [0x0e, numberList], // br_table
  ...each([0x11, 0x13], twoNumbers), // call_indirect
  [0x1c, (reader) => void readSimpleTypes(reader)], // select
  ...each(range(0x20, 0x25), number), // variables, table.get
  [0x26, refuse('table.set')],
  ...each(range(0x28, 0x3e), memoryArgument),
  [0x41, number],
  [0x42, number],
  [0x43, bytes(4)],
  [0x44, bytes(8)],
  [0xd0, number],
  [0xd2, number],
  [0xfb, refuse('types of the collector')],
  [0xfc, bulkInstruction],
  [0xfd, vectorInstruction],
  [0xfe, refuse('threads')],
])

function bulkInstruction(reader: BinaryReader): void {
  const op = reader.u32()
  if (op <= 7) return // saturating conversions
  if (op === 10) return reader.skip(2) // memory.copy
  if (op === 11) return reader.skip(1) // memory.fill
  if (op === 16) return reader.skipNumber() // table.size
  throw new NotResettable(op <= 9 ? 'uses passive data segments' : 'changes a table')
}

function vectorInstruction(reader: BinaryReader): void {
  const op = reader.u32()
  if (op <= 11 || op === 92 || op === 93) memoryArgument(reader)
  else if (op === 12 || op === 13) reader.skip(16)
  else if (op >= 21 && op <= 34) reader.skip(1)
  else if (op >= 84 && op <= 91) {
    memoryArgument(reader)
    reader.skip(1)
  }
}

/** i32.store to i64.store32, in their order. */
const FIRST_STORE = 0x36
const STORED: readonly StoredType[] = [
  ...(['i32', 'i64', 'f32', 'f64', 'i32', 'i32', 'i64', 'i64', 'i64'] as const),
]
/** v128.store, and the four that store a lane. */
const VECTOR_STORES = [11, 88, 89, 90, 91]

/** Offsets beyond this are out of any memory: their stores trap. */
const MAX_OFFSET = 2 ** 31 - 1

/** Reads what kind of store stands behind `op`; the reader stays where it is. */
function storeAt(
  reader: BinaryReader,
  op: number,
): { type: StoredType; offset: number } | undefined {
  const before = reader.at
  let type = STORED[op - FIRST_STORE]
  if (op === 0xfd && VECTOR_STORES.includes(reader.u32())) type = 'v128'
  if (type === undefined) {
    reader.at = before
    return undefined
  }
  reader.skipNumber() // alignment; the reader of immediates has looked for several memories
  const offset = Math.min(reader.u32(), MAX_OFFSET)
  reader.at = before
  return { type, offset }
}

function isRange(reader: BinaryReader, op: number): boolean {
  const kind = reader.bytes[reader.at]
  return op === 0xfc && (kind === 10 || kind === 11)
}

/**
 * Reads the instructions up to `end`.
 *
 * @returns those that read or change the size of the memory, or write into it.
 * @throws {NotResettable} at the first instruction that changes state the host cannot see, or that is not
 * known here.
 */
export function scanCode(reader: BinaryReader, end: number): MemoryInstruction[] {
  const found: MemoryInstruction[] = []
  while (reader.at < end) {
    const at = reader.at
    const op = reader.byte()
    if (op === MEMORY_SIZE || op === MEMORY_GROW) {
      reader.skip(1)
      found.push({ at, end: reader.at, kind: op === MEMORY_SIZE ? 'size' : 'grow' })
      continue
    }
    const immediates = INSTRUCTIONS.get(op)
    if (!immediates) throw new NotResettable(`uses the instruction 0x${op.toString(16)}`)
    const store = storeAt(reader, op)
    const range = isRange(reader, op)
    immediates(reader)
    if (store) found.push({ at, end: reader.at, kind: 'store', ...store })
    else if (range) found.push({ at, end: reader.at, kind: 'range' })
  }
  if (reader.at !== end) throw new BinaryError('has a function that ends in an instruction')
  return found
}
