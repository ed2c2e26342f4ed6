/**
 * Walking over the instructions of a function, to find those that matter for resetting an instance.
 *
 * @module
 * @see https://webassembly.github.io/spec/core/binary/instructions.html
 */
import { BinaryError, type BinaryReader } from './binary.ts'

export interface MemoryInstruction {
  at: number
  kind: 'size' | 'grow'
}

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

/** Instructions with immediates; those from 0x45 to 0xc4 and the rest of 0x00 to 0x1b have none. */
const INSTRUCTIONS = new Map<number, Immediates>([
  ...[0x02, 0x03, 0x04].map((op): [number, Immediates] => [op, number]), // block types
  ...[0x0c, 0x0d, 0x10, 0x12].map((op): [number, Immediates] => [op, number]), // br, call
  [0x0e, numberList], // br_table
  [0x11, twoNumbers], // call_indirect
  [0x13, twoNumbers],
  [0x1c, (reader) => reader.skip(reader.u32())], // select with types of one byte
  ...[0x20, 0x21, 0x22, 0x23, 0x24, 0x25].map((op): [number, Immediates] => [op, number]),
  [0x26, refuse('table.set')],
  [0x41, number],
  [0x42, number],
  [0x43, bytes(4)],
  [0x44, bytes(8)],
  [0xd0, number],
  [0xd2, number],
  [0xfc, bulkInstruction],
  [0xfd, vectorInstruction],
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

/**
 * Reads the instructions up to `end`.
 *
 * @returns the places of `memory.size` and `memory.grow`, two bytes each.
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
      found.push({ at, kind: op === MEMORY_SIZE ? 'size' : 'grow' })
    } else if (op >= 0x28 && op <= 0x3e) memoryArgument(reader)
    else {
      const immediates = INSTRUCTIONS.get(op)
      if (immediates) immediates(reader)
      else if (!(op <= 0x1b || (op >= 0x45 && op <= 0xc4) || op === 0xd1)) {
        throw new NotResettable(`uses the instruction 0x${op.toString(16)}`)
      } else if (op >= 0x06 && op <= 0x0a) throw new NotResettable('uses exceptions')
    }
  }
  if (reader.at !== end) throw new BinaryError('has a function that ends in an instruction')
  return found
}
