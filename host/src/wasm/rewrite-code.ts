/** Rewriting a module's functions: sizes go through a counter that can be reset, stores leave a mark. */
import { createHash } from 'node:crypto'
import { BinaryReader, encodeS32, encodeU32 } from './binary.ts'
import { type ModuleShape, SECTION, sectionOf } from './module-shape.ts'
import { MARKED_BYTES } from './added-exports.ts'
import { type MemoryInstruction, NotResettable, readSimpleType, scanCode } from './scan-code.ts'

/** Indices of what the rewriting adds to the module. */
export interface Appended {
  growFunction: number
  sizeFunction: number
  markFunction: number
  /** Global with the guest's own idea of its size in pages. */
  pages: number
}

/**
 * The last rewritten code, with the code that it was made from. Components with one engine differ in their data only, and
 * rewriting takes a tenth of a second.
 */
let latest: { of: string; code: Buffer } | undefined

export function rewriteCode(module: Buffer, shape: ModuleShape, appended: Appended): Buffer {
  const { start, end } = sectionOf(shape.sections, SECTION.code)
  const of = createHash('sha256')
    .update(JSON.stringify([appended, shape.parameters]))
    .update(module.subarray(start, end))
    .digest('hex')
  if (latest?.of !== of) latest = { of, code: rewriteAll(module, shape, appended) }
  return latest.code
}

function rewriteAll(
  module: Buffer,
  { sections, parameters }: ModuleShape,
  appended: Appended,
): Buffer {
  const { start, end } = sectionOf(sections, SECTION.code)
  const reader = new BinaryReader(module, start)
  const count = reader.u32()
  const parts: Uint8Array[] = [Buffer.from(encodeU32(count + 3))]
  let copied = reader.at
  for (let index = 0; index < count; index++) {
    const head = reader.at
    const size = reader.u32()
    const bodyEnd = reader.at + size
    const groups = reader.u32()
    const groupsStart = reader.at
    let locals = parameters[index] ?? 0
    for (let left = groups; left > 0; left--) {
      locals += reader.u32()
      readSimpleType(reader)
    }
    const codeStart = reader.at
    const { memory: found, state } = scanCode(reader, bodyEnd)
    if (state !== undefined) throw new NotResettable(state)
    if (found.length === 0) continue
    const scratch = new Scratch(locals, found)
    const body: Uint8Array[] = [
      Buffer.from(encodeU32(groups + scratch.groups)),
      module.subarray(groupsStart, codeStart),
      Buffer.from(scratch.declarations),
    ]
    let from = codeStart
    for (const instruction of found) {
      const own = module.subarray(instruction.at, instruction.end)
      body.push(
        module.subarray(from, instruction.at),
        ...replace(instruction, own, scratch, appended),
      )
      from = instruction.end
    }
    body.push(module.subarray(from, bodyEnd))
    const rewritten = Buffer.concat(body)
    parts.push(module.subarray(copied, head), Buffer.from(encodeU32(rewritten.length)), rewritten)
    copied = bodyEnd
  }
  parts.push(module.subarray(copied, end))
  for (const code of [growCode(appended.pages), sizeCode(appended.pages), markCode()]) {
    parts.push(Buffer.from([...encodeU32(code.length), ...code]))
  }
  return Buffer.concat(parts)
}

const VALUE_TYPES = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const

export type StoredType = keyof typeof VALUE_TYPES

/** Locals that hold an instruction's operands while they are looked at; only those a function needs. */
class Scratch {
  readonly declarations: number[] = []
  groups = 0
  readonly #next: { index: number }
  readonly #values = new Map<StoredType, number>()
  readonly address: number
  readonly source: number
  readonly length: number

  constructor(locals: number, found: readonly MemoryInstruction[]) {
    this.#next = { index: locals }
    const marks = found.some(({ kind }) => kind === 'store' || kind === 'range')
    const ranges = found.some(({ kind }) => kind === 'range')
    this.address = marks ? this.#declare('i32') : 0
    this.source = ranges ? this.#declare('i32') : 0
    this.length = ranges ? this.#declare('i32') : 0
    for (const instruction of found) {
      if (instruction.kind !== 'store' || this.#values.has(instruction.type)) continue
      this.#values.set(instruction.type, this.#declare(instruction.type))
    }
  }

  value(type: StoredType): number {
    return this.#values.get(type) ?? 0
  }

  #declare(type: StoredType): number {
    this.declarations.push(1, VALUE_TYPES[type])
    this.groups++
    return this.#next.index++
  }
}

const get = (local: number) => [0x20, ...encodeU32(local)]
const set = (local: number) => [0x21, ...encodeU32(local)]
const tee = (local: number) => [0x22, ...encodeU32(local)]
const constant = (value: number) => [0x41, ...encodeS32(value)]
const call = (index: number) => [0x10, ...encodeU32(index)]

const ADD = 0x6a
const SUBTRACT = 0x6b
/** i32.shr_u: from an address to its page. */
const TO_PAGE = [...constant(Math.log2(MARKED_BYTES)), 0x76]
/** i32.store8 into the second memory. */
const STORE_MARK = [0x3a, 0x40, 1, 0]

function replace(
  instruction: MemoryInstruction,
  own: Uint8Array,
  scratch: Scratch,
  { growFunction, sizeFunction, markFunction }: Appended,
): Uint8Array[] {
  if (instruction.kind === 'size' || instruction.kind === 'grow') {
    return [Buffer.from(call(instruction.kind === 'grow' ? growFunction : sizeFunction))]
  }
  const { address, source, length } = scratch
  if (instruction.kind === 'range') {
    // memory.copy and memory.fill: to, from or value, length
    const before = [...set(length), ...set(source), ...tee(address), ...get(source), ...get(length)]
    const after = [...get(address), ...get(length), ...call(markFunction)]
    return [Buffer.from(before), own, Buffer.from(after)]
  }
  const value = scratch.value(instruction.type)
  const { offset } = instruction
  const before = [...set(value), ...tee(address), ...get(value)]
  // Behind the store: one that is out of bounds ends the guest, and this sum cannot overflow any more.
  const after = [
    ...get(address),
    ...(offset > 0 ? [...constant(offset), ADD] : []),
    ...[...TO_PAGE, ...constant(1), ...STORE_MARK],
  ]
  return [Buffer.from(before), own, Buffer.from(after)]
}

function sizeCode(pages: number): number[] {
  return [0, 0x23, ...encodeU32(pages), 0x0b]
}

/** Adds to the page count, and grows the real memory only if it is smaller. Returns -1 if it cannot grow. */
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

/** (address, length): marks every page the bytes lie on. */
function markCode(): number[] {
  const address = 0
  const length = 1
  const first = [...get(address), ...TO_PAGE]
  const last = [...get(address), ...get(length), ADD, ...constant(1), SUBTRACT, ...TO_PAGE]
  return [
    0, // no locals
    ...[...get(length), 0x04, 0x40], // if length > 0
    ...[...first, ...constant(1), ...last, ...first, SUBTRACT, ...constant(1), ADD],
    ...[0xfc, 11, 1], // memory.fill of the second memory: at first, with 1, last - first + 1 bytes
    ...[0x0b, 0x0b],
  ]
}
