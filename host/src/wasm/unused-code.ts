/**
 * Leaving out the code of functions that nothing can call.
 *
 * The engine has functions that only its start needs, at build time: after it they can no longer be reached, and are 3 % of its
 * code. They keep their numbers, so that nothing else changes, and their bodies become one instruction that ends the program.
 */
import { BinaryReader, encodeU32, readSections, type Section } from './binary.ts'
import { checkModule, readElements } from './check-module.ts'
import { SECTION } from './module-shape.ts'
import { readConstant, readSimpleType, scanCode } from './scan-code.ts'

/** No locals, `unreachable`, `end`; with its size in front. */
const EMPTY = Buffer.from([3, 0, 0x00, 0x0b])

/** Of imports and exports. */
const FUNCTION = 0

interface Body {
  /** With its size in front. */
  start: number
  end: number
  /** Index of each function that it calls or refers to. */
  uses: readonly number[]
}

/**
 * Leaves out the bodies of functions that nothing can call.
 *
 * @param module a core module that is valid. Its tables keep every function that they have, because a number can stand for it.
 * @throws {BinaryError} when it has an instruction that this host does not know.
 */
export function withoutUnusedCode(module: Uint8Array): Uint8Array {
  const sections = readSections(module)
  const code = sections.findIndex(({ id }) => id === SECTION.code)
  const section = sections[code]
  if (!section) return module
  const bodies = readBodies(module, section)
  const imported = checkModule(module).imports.filter(({ kind }) => kind === 'function').length
  const used = reached(entries(module, sections), bodies, imported)
  const kept = bodies.map(({ start, end }, index) =>
    used.has(imported + index) ? module.subarray(start, end) : EMPTY,
  )
  const content = Buffer.concat([Buffer.from(encodeU32(bodies.length)), ...kept])
  return Buffer.concat([
    module.subarray(0, sections[code - 1]?.end ?? HEAD_BYTES),
    Buffer.from([SECTION.code, ...encodeU32(content.length)]),
    content,
    module.subarray(section.end),
  ])
}

/** Magic and version. */
const HEAD_BYTES = 8

function readBodies(module: Uint8Array, { start }: Section): Body[] {
  const reader = new BinaryReader(module, start)
  return list(reader, () => {
    const at = reader.at
    const size = reader.u32()
    const end = reader.at + size
    list(reader, () => {
      reader.u32()
      readSimpleType(reader)
    })
    return { start: at, end, uses: scanCode(reader, end).functions }
  })
}

/** Functions that can be called from outside, at the start, or by their number in a table. */
function entries(module: Uint8Array, sections: readonly Section[]): number[] {
  return sections.flatMap(({ id, start }) => {
    const reader = new BinaryReader(module, start)
    if (id === SECTION.start) return [reader.u32()]
    if (id === SECTION.element) return list(reader, () => readElements(reader)).flat()
    if (id === SECTION.export) return list(reader, () => readExport(reader)).flat()
    if (id === SECTION.global) return list(reader, () => readGlobal(reader)).flat()
    return []
  })
}

function readExport(reader: BinaryReader): number[] {
  reader.skipName()
  const kind = reader.byte()
  const index = reader.u32()
  return kind === FUNCTION ? [index] : []
}

function readGlobal(reader: BinaryReader): readonly number[] {
  readSimpleType(reader)
  reader.byte()
  return readConstant(reader).functions
}

function reached(from: readonly number[], bodies: readonly Body[], imported: number): Set<number> {
  const found = new Set<number>()
  const waiting = [...from]
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (found.has(index)) continue
    found.add(index)
    for (const next of bodies[index - imported]?.uses ?? []) waiting.push(next)
  }
  return found
}

function list<T>(reader: BinaryReader, read: () => T): T[] {
  return Array.from({ length: reader.u32() }, read)
}
