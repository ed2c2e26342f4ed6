/** What the rewriting has to know of a module: how its index spaces are filled, and what state it has. */
import { BinaryError, BinaryReader, readSections, type Section } from './binary.ts'
import {
  FEATURES,
  NotResettable,
  readConstant,
  readSimpleType,
  readSimpleTypes,
  unsupported,
} from './scan-code.ts'

export const SECTION = {
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  tag: 13,
} as const

export interface MemoryLimits {
  minPages: number
  maxPages: number | undefined
}

export interface ModuleShape {
  sections: Section[]
  types: number
  functions: number
  /** How many parameters each function takes that is not imported. */
  parameters: number[]
  globals: number
  /** Index of every global that changes. */
  mutableGlobals: number[]
}

const FUNCTION_TYPE = 0x60
const NUMBER_TYPES: readonly string[] = ['i32', 'i64', 'f32', 'f64']

export function sectionOf(sections: readonly Section[], id: number): Section {
  const section = sections.find((candidate) => candidate.id === id)
  if (!section) throw new NotResettable(`has no section ${id}`)
  return section
}

type OwnMemory = MemoryLimits & { section: Section }

/**
 * The limits of the memory the module defines, `undefined` when it defines none.
 *
 * @throws {BinaryError} when they are several, or shared, or the memory is of another kind.
 */
export function ownMemory(module: Uint8Array): OwnMemory | undefined {
  const section = readSections(module).find(({ id }) => id === SECTION.memory)
  if (!section) return undefined
  const reader = new BinaryReader(module, section.start)
  const count = reader.u32()
  if (count === 0) return undefined
  const flags = reader.byte()
  if (count !== 1 || flags > 1) throw new BinaryError('needs several, shared or 64-bit memories')
  return {
    section,
    minPages: reader.u32(),
    maxPages: flags === 1 ? reader.u32() : undefined,
  }
}

/** The limits of the module's one memory. */
export function readMemory(module: Uint8Array): OwnMemory {
  const memory = ownMemory(module)
  if (memory) return memory
  throw new BinaryError('has no memory of its own')
}

export function exportNames(module: Uint8Array): string[] {
  const section = readSections(module).find(({ id }) => id === SECTION.export)
  if (!section) return []
  const reader = new BinaryReader(module, section.start)
  return Array.from({ length: reader.u32() }, () => {
    const name = reader.name()
    reader.byte()
    reader.skipNumber()
    return name
  })
}

/** @throws {NotResettable} when the module shares state or has state that is not a number. */
export function readShape(module: Uint8Array): ModuleShape {
  const sections = readSections(module)
  const at = (id: number) => new BinaryReader(module, sectionOf(sections, id).start)
  const has = (id: number) => sections.some((section) => section.id === id)
  // It may have asked for the time or a handle, and every instance would start with the first one's.
  if (has(SECTION.start)) throw new NotResettable('has a start function')
  if (has(SECTION.tag)) throw new NotResettable('uses exceptions')

  const typeReader = at(SECTION.type)
  const types = typeReader.u32()
  const typeParameters: number[] = []
  for (let i = 0; i < types; i++) {
    if (typeReader.byte() !== FUNCTION_TYPE) throw unsupported(FEATURES.collector)
    typeParameters.push(readSimpleTypes(typeReader).length)
    readSimpleTypes(typeReader) // results
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
  const functionReader = at(SECTION.function)
  const defined = functionReader.u32()
  functions += defined
  const parameters = Array.from(
    { length: defined },
    () => typeParameters[functionReader.u32()] ?? 0,
  )

  const globalReader = at(SECTION.global)
  const globals = globalReader.u32()
  const mutableGlobals: number[] = []
  for (let index = 0; index < globals; index++) {
    const type = readSimpleType(globalReader)
    const mutable = globalReader.byte() === 1
    if (mutable && !NUMBER_TYPES.includes(type)) throw new NotResettable('has a global reference')
    if (mutable) mutableGlobals.push(index)
    if (readConstant(globalReader).instructions !== 1) {
      throw new NotResettable('computes the first value of a global')
    }
  }
  return { sections, types, functions, parameters, globals, mutableGlobals }
}
