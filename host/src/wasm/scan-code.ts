/**
 * The one decoder of instructions: it finds what matters for resetting an instance, and refuses every
 * instruction that is not listed here.
 *
 * Each instruction is known by its decoded number, never by its bytes: the format allows a longer encoding of the
 * same number, and an engine runs it.
 * @see https://webassembly.github.io/spec/core/binary/instructions.html
 */
import { BinaryError, type BinaryReader } from './binary.ts'
import type { StoredType } from './rewrite-code.ts'

/** Its bytes are those from `at` to `end`. */
export type MemoryInstruction = { at: number; end: number } & (
  | { kind: 'size' }
  | { kind: 'grow' }
  | { kind: 'store'; type: StoredType; offset: number }
  /** memory.copy and memory.fill. */
  | { kind: 'range' }
)

export interface ScannedCode {
  /** Instructions that read or change the size of the memory, or write into it. */
  memory: MemoryInstruction[]
  /** Index of each function that is called or referred to by its number. */
  functions: number[]
  /** The first instruction, in words, that changes state the host cannot put back. */
  state: string | undefined
}

/** Why a module cannot be reset: it has state that the host cannot put back. */
export class NotResettable extends BinaryError {
  override readonly message: string

  constructor(reason: string) {
    super(reason)
    this.message = reason
  }
}

/** A feature of WebAssembly that no supported toolchain emits. */
export function unsupported(feature: string): BinaryError {
  return new BinaryError(`uses ${feature}, a WebAssembly feature this host does not run`)
}

export const FEATURES = {
  collector: 'types of the garbage collector',
  exceptions: 'exceptions',
  externref: 'references to host values',
  memories: 'several memories',
  references: 'typed function references',
  tailCalls: 'tail calls',
  threads: 'threads',
} as const

type Read = (reader: BinaryReader, scanned: ScannedCode, at: number) => void

const nothing: Read = () => {}
const number: Read = (reader) => reader.skipNumber()
const functionIndex: Read = (reader, scanned) => void scanned.functions.push(reader.u32())
const twoNumbers: Read = (reader) => {
  reader.skipNumber()
  reader.skipNumber()
}
const bytes =
  (count: number): Read =>
  (reader) =>
    reader.skip(count)
const refuse =
  (feature: string): Read =>
  () => {
    throw unsupported(feature)
  }
const stateful =
  (reason: string, read: Read): Read =>
  (reader, scanned, at) => {
    scanned.state ??= reason
    read(reader, scanned, at)
  }
const numberList: Read = (reader) => {
  for (let left = reader.u32() + 1; left > 0; left--) reader.skipNumber()
}

/** The index of the one memory. */
function onlyMemory(reader: BinaryReader): void {
  if (reader.u32() !== 0) throw unsupported(FEATURES.memories)
}

/** @returns the offset. */
function memoryArgument(reader: BinaryReader): number {
  // Bit 6 of the alignment announces the index of a memory.
  if (reader.u32() >= 64) throw unsupported(FEATURES.memories)
  return reader.u32()
}

const load: Read = (reader) => void memoryArgument(reader)

/** Offsets beyond this are out of any memory: their stores trap. */
const MAX_OFFSET = 2 ** 31 - 1

const store =
  (type: StoredType, laneBytes = 0): Read =>
  (reader, scanned, at) => {
    const offset = Math.min(memoryArgument(reader), MAX_OFFSET)
    reader.skip(laneBytes)
    scanned.memory.push({ at, end: reader.at, kind: 'store', type, offset })
  }

const sizeOf =
  (kind: 'size' | 'grow'): Read =>
  (reader, scanned, at) => {
    onlyMemory(reader)
    scanned.memory.push({ at, end: reader.at, kind })
  }

const range =
  (memories: number): Read =>
  (reader, scanned, at) => {
    for (let left = memories; left > 0; left--) onlyMemory(reader)
    scanned.memory.push({ at, end: reader.at, kind: 'range' })
  }

const REFERENCES: ReadonlySet<number> = new Set([
  ...[0x63, 0x64, 0x62, 0x61], // (ref null …), (ref …), and the exact ones
  ...[0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x71, 0x72, 0x73, 0x74, 0x75],
])
const FUNCREF = 0x70
const EXTERNREF = 0x6f
const TYPE_NAMES = new Map([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
  [0x7b, 'v128'],
  [FUNCREF, 'funcref'],
] as const)

export type SimpleType = typeof TYPE_NAMES extends Map<number, infer T> ? T : never

/** Reads a number, a vector or a plain reference of a function. @throws {BinaryError} at any other type. */
export function readSimpleType(reader: BinaryReader): SimpleType {
  const byte = reader.byte()
  const name = TYPE_NAMES.get(byte as 0x7f)
  if (name) return name
  if (byte === EXTERNREF) throw unsupported(FEATURES.externref)
  if (byte === 0x63 || byte === 0x64) throw unsupported(FEATURES.references)
  if (REFERENCES.has(byte)) throw unsupported(FEATURES.collector)
  throw new BinaryError(`has a type this host does not know (0x${byte.toString(16)})`)
}

export function readSimpleTypes(reader: BinaryReader): SimpleType[] {
  const types: SimpleType[] = []
  for (let left = reader.u32(); left > 0; left--) types.push(readSimpleType(reader))
  return types
}

/** The type of `ref.null`. */
function heapType(reader: BinaryReader): void {
  const byte = reader.byte()
  if (byte !== FUNCREF) {
    throw unsupported(byte === EXTERNREF ? FEATURES.externref : FEATURES.references)
  }
}

// A type of one byte, or the number of a function type.
const blockType: Read = (reader) => {
  const byte = reader.bytes[reader.at] ?? 0
  if (byte < 0x40 || byte >= 0x80) reader.skipNumber()
  else if (byte === 0x40) reader.skip(1)
  else readSimpleType(reader)
}

/** Reads by the number behind a prefix. */
const prefixed =
  (prefix: string, reads: ReadonlyMap<number, Read>): Read =>
  (reader, scanned, at) => {
    const op = reader.u32()
    const read = reads.get(op)
    if (!read) throw unsupported(`the instruction 0x${prefix} ${op}`)
    read(reader, scanned, at)
  }

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)
const each = (ops: number[], read: Read) => ops.map((op): [number, Read] => [op, read])

const TABLE = 'changes a table'
const PASSIVE = 'uses passive data segments'

const BULK = new Map<number, Read>([
  ...each(numbers(0, 7), nothing), // saturating conversions
  [8, stateful(PASSIVE, twoNumbersOfMemory)], // memory.init
  [9, stateful(PASSIVE, number)], // data.drop
  [10, range(2)], // memory.copy
  [11, range(1)], // memory.fill
  [12, stateful(TABLE, twoNumbers)], // table.init
  [13, stateful(TABLE, number)], // elem.drop
  [14, stateful(TABLE, twoNumbers)], // table.copy
  [15, stateful(TABLE, number)], // table.grow
  [16, number], // table.size
  [17, stateful(TABLE, number)], // table.fill
])

function twoNumbersOfMemory(reader: BinaryReader): void {
  reader.skipNumber()
  onlyMemory(reader)
}

const loadLane: Read = (reader) => {
  memoryArgument(reader)
  reader.skip(1)
}

const VECTOR = new Map<number, Read>([
  ...each(numbers(14, 255), nothing),
  ...each([...numbers(0, 10), 92, 93], load),
  [11, store('v128')],
  ...each([12, 13], bytes(16)), // v128.const, i8x16.shuffle
  ...each(numbers(21, 34), bytes(1)), // lanes
  ...each(numbers(84, 87), loadLane),
  ...each(numbers(88, 91), store('v128', 1)),
])

/** i32.store to i64.store32, in their order. */
const FIRST_STORE = 0x36
const STORED = ['i32', 'i64', 'f32', 'f64', 'i32', 'i32', 'i64', 'i64', 'i64'] as const

/** Every instruction a module may have. */
const INSTRUCTIONS: readonly (Read | undefined)[] = (() => {
  const table = Array.from({ length: 256 }, (): Read | undefined => undefined)
  for (const [op, read] of [
    // unreachable, nop, else, end, return, drop, select, arithmetic, ref.is_null
    ...each([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, ...numbers(0x45, 0xc4), 0xd1], nothing),
    ...each([0x02, 0x03, 0x04], blockType),
    ...each([0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f], refuse(FEATURES.exceptions)),
    ...each([0x0c, 0x0d], number), // br
    [0x10, functionIndex], // call
    [0x0e, numberList], // br_table
    [0x11, twoNumbers], // call_indirect
    ...each([0x12, 0x13], refuse(FEATURES.tailCalls)),
    ...each([0x14, 0x15, ...numbers(0xd3, 0xd6)], refuse(FEATURES.references)),
    [0x1c, (reader) => void readSimpleTypes(reader)], // select
    ...each(numbers(0x20, 0x25), number), // variables, table.get
    [0x26, stateful('uses table.set', number)],
    ...each(numbers(0x28, 0x35), load),
    ...STORED.map((type, i): [number, Read] => [FIRST_STORE + i, store(type)]),
    [0x3f, sizeOf('size')],
    [0x40, sizeOf('grow')],
    ...each([0x41, 0x42], number),
    [0x43, bytes(4)],
    [0x44, bytes(8)],
    [0xd0, heapType],
    [0xd2, functionIndex], // ref.func
    [0xfb, refuse(FEATURES.collector)],
    [0xfc, prefixed('fc', BULK)],
    [0xfd, prefixed('fd', VECTOR)],
    [0xfe, refuse(FEATURES.threads)],
  ] as [number, Read][]) {
    table[op] = read
  }
  return table
})()

/**
 * Reads the instructions up to `end`.
 *
 * @throws {BinaryError} at the first instruction that is not known here.
 */
export function scanCode(reader: BinaryReader, end: number): ScannedCode {
  const scanned: ScannedCode = { memory: [], functions: [], state: undefined }
  while (reader.at < end) readInstruction(reader, scanned)
  if (reader.at !== end) throw new BinaryError('has a function that ends in an instruction')
  return scanned
}

function readInstruction(reader: BinaryReader, scanned: ScannedCode): number {
  const at = reader.at
  const op = reader.byte()
  const read = INSTRUCTIONS[op]
  if (!read) throw unsupported(`the instruction 0x${op.toString(16)}`)
  read(reader, scanned, at)
  return op
}

/** What a constant expression may compute with: constants, globals, functions, and sums and products. */
const CONSTANTS: ReadonlySet<number> = new Set([
  ...[0x0b, 0x23, 0x41, 0x42, 0x43, 0x44, 0xd0, 0xd2, 0xfd],
  ...[0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e],
])

export interface Constant {
  /** How many instructions it has. */
  instructions: number
  /** Index of each function that it refers to. */
  functions: readonly number[]
}

/** Reads a constant expression with its end. */
export function readConstant(reader: BinaryReader): Constant {
  const scanned: ScannedCode = { memory: [], functions: [], state: undefined }
  for (let instructions = 0; ; instructions++) {
    const op = readInstruction(reader, scanned)
    if (op === 0x0b) return { instructions, functions: scanned.functions }
    if (!CONSTANTS.has(op)) throw new BinaryError('has a constant that is computed by a program')
  }
}
