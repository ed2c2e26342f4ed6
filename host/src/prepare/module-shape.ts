/**
 * What the rewriting has to know of a module: how its index spaces are filled, and what state it has.
 *
 * @module
 */
import { BinaryError, BinaryReader, readSections, type Section } from './binary.ts'
import { NotResettable } from './scan-code.ts'

export const SECTION = {
  type: 1,
  import: 2,
  function: 3,
  memory: 5,
  global: 6,
  export: 7,
  code: 10,
} as const

export interface MemoryLimits {
  minPages: number
  maxPages: number | undefined
}

export interface ModuleShape {
  sections: Section[]
  types: number
  functions: number
  globals: number
  /** Index of every global that changes. */
  mutableGlobals: number[]
}

const FUNCTION_TYPE = 0x60
const NUMBER_TYPES = [0x7f, 0x7e, 0x7d, 0x7c]

export function sectionOf(sections: readonly Section[], id: number): Section {
  const section = sections.find((candidate) => candidate.id === id)
  if (!section) throw new NotResettable(`has no section ${id}`)
  return section
}

/** The limits of the module's one memory. */
export function readMemory(module: Uint8Array): MemoryLimits & { section: Section } {
  const section = readSections(module).find(({ id }) => id === SECTION.memory)
  if (!section) throw new BinaryError('has no memory of its own')
  const reader = new BinaryReader(module, section.start)
  const count = reader.u32()
  const flags = reader.byte()
  if (count !== 1 || flags > 1) throw new BinaryError('needs several, shared or 64-bit memories')
  return {
    section,
    minPages: reader.u32(),
    maxPages: flags === 1 ? reader.u32() : undefined,
  }
}

/** @throws {NotResettable} when the module shares state or has state that is not a number. */
export function readShape(module: Uint8Array): ModuleShape {
  const sections = readSections(module)
  const at = (id: number) => new BinaryReader(module, sectionOf(sections, id).start)

  const typeReader = at(SECTION.type)
  const types = typeReader.u32()
  for (let i = 0; i < types; i++) {
    if (typeReader.byte() !== FUNCTION_TYPE) throw new NotResettable('uses types of the collector')
    typeReader.skip(typeReader.u32()) // parameters
    typeReader.skip(typeReader.u32()) // results
  }

  const imports = at(SECTION.import)
  let functions = 0
  for (let left = imports.u32(); left > 0; left--) {
    imports.skipName()
    imports.skipName()
    if (imports.byte() !== 0) throw new NotResettable('imports a memory, table or global')
    imports.skipNumber()
    functions++
  }
  functions += at(SECTION.function).u32()

  const globalReader = at(SECTION.global)
  const globals = globalReader.u32()
  const mutableGlobals: number[] = []
  for (let index = 0; index < globals; index++) {
    const type = globalReader.byte()
    const mutable = globalReader.byte() === 1
    if (mutable && !NUMBER_TYPES.includes(type)) throw new NotResettable('has a global reference')
    if (mutable) mutableGlobals.push(index)
    skipConstant(globalReader)
  }
  return { sections, types, functions, globals, mutableGlobals }
}

/** A constant expression: one constant, then `end`. */
function skipConstant(reader: BinaryReader): void {
  const op = reader.byte()
  if (op === 0x43) reader.skip(4)
  else if (op === 0x44) reader.skip(8)
  else if ([0x41, 0x42, 0x23, 0xd0, 0xd2].includes(op)) reader.skipNumber()
  else throw new NotResettable('computes the first value of a global')
  if (reader.byte() !== 0x0b) throw new NotResettable('computes the first value of a global')
}
