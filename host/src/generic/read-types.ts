/**
 * Reading the types of a component's binary, and the small parts that all its sections share.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md
 */
import { BinaryError, type BinaryReader } from '../wasm/binary.ts'
import {
  type Declaration,
  type Extern,
  type NamedReference,
  PRIMITIVES,
  type Reference,
  type Sort,
  type TypeCode,
  type ValueReference,
} from './component-code.ts'

const SORTS: Readonly<Record<number, Sort>> = {
  1: 'function',
  3: 'type',
  4: 'component',
  5: 'instance',
}

const CORE_SORTS: Readonly<Record<number, Sort>> = {
  0x00: 'core function',
  0x01: 'core table',
  0x02: 'core memory',
  0x03: 'core global',
  0x10: 'core type',
  0x11: 'core module',
  0x12: 'core instance',
}

/** Something newer than what is read here. */
export function unknown(what: string, code: number): BinaryError {
  return new BinaryError(`has a ${what} this host does not know (0x${code.toString(16)})`)
}

/** Reads a list. */
export function times<T>(reader: BinaryReader, read: () => T): T[] {
  const items: T[] = []
  for (let left = reader.u32(); left > 0; left--) items.push(read())
  return items
}

function readSort(reader: BinaryReader): Sort {
  const code = reader.byte()
  if (code === 0) return readCoreSort(reader)
  const sort = SORTS[code]
  if (sort) return sort
  throw unknown('sort', code)
}

export function readCoreSort(reader: BinaryReader): Sort {
  const code = reader.byte()
  const sort = CORE_SORTS[code]
  if (sort) return sort
  throw unknown('core sort', code)
}

/** The name of an import or export. */
export function readName(reader: BinaryReader): string {
  const code = reader.byte()
  if (code > 1) throw unknown('name', code)
  return reader.name()
}

export const readReference = (reader: BinaryReader): Reference => ({
  sort: readSort(reader),
  index: reader.u32(),
})

export const readCoreExport = (reader: BinaryReader): NamedReference => ({
  name: reader.name(),
  sort: readCoreSort(reader),
  index: reader.u32(),
})

const primitive = (byte: number) => PRIMITIVES[byte as keyof typeof PRIMITIVES]

/** Instance and component types inside of each other. */
const MAX_NESTING = 20

export function readType(reader: BinaryReader, depth = 0): TypeCode {
  if (depth > MAX_NESTING) throw new BinaryError(`nests types more than ${MAX_NESTING} deep`)
  const code = reader.byte()
  const known = primitive(code)
  if (known) return { kind: 'primitive', of: known }
  switch (code) {
    case 0x72:
      return { kind: 'record', fields: times(reader, () => readLabelled(reader)) }
    case 0x71:
      return { kind: 'variant', cases: times(reader, () => readCase(reader)) }
    case 0x70:
      return { kind: 'list', element: readValue(reader) }
    case 0x6f:
      return { kind: 'record', fields: times(reader, () => readValue(reader)) }
    case 0x6e:
      return { kind: 'flags', count: times(reader, () => reader.skipName()).length }
    case 0x6d:
      return { kind: 'variant', cases: times(reader, () => reader.skipName()) as undefined[] }
    case 0x6b:
      return { kind: 'variant', cases: [undefined, readValue(reader)] }
    case 0x6a:
      return { kind: 'variant', cases: [readOptional(reader), readOptional(reader)] }
    case 0x69:
      return { kind: 'own', resource: reader.u32() }
    case 0x68:
      return { kind: 'borrow', resource: reader.u32() }
    case 0x40:
      return readFunction(reader)
    case 0x3f:
      return readResource(reader)
    case 0x41:
      times(reader, () => readDeclaration(reader, depth, { inComponent: true }))
      return { kind: 'component' }
    case 0x42:
      return {
        kind: 'instance',
        declarations: times(reader, () => readDeclaration(reader, depth, { inComponent: false })),
      }
  }
  throw unknown('type', code)
}

/** The type of an import or export. */
export function readExtern(reader: BinaryReader): Extern {
  const code = reader.byte()
  switch (code) {
    case 0x00:
      readCoreSort(reader)
      return { sort: 'core module', type: reader.u32() }
    case 0x01:
      return { sort: 'function', type: reader.u32() }
    case 0x03:
      return { sort: 'type', equals: reader.byte() === 0 ? reader.u32() : undefined }
    case 0x04:
      return { sort: 'component', type: reader.u32() }
    case 0x05:
      return { sort: 'instance', type: reader.u32() }
  }
  throw unknown('import', code)
}

export function readAlias(
  reader: BinaryReader,
):
  | { kind: 'alias export'; sort: Sort; instance: number; name: string }
  | { kind: 'alias core export'; sort: Sort; instance: number; name: string }
  | { kind: 'alias outer'; sort: Sort; count: number; index: number } {
  const sort = readSort(reader)
  const target = reader.byte()
  if (target === 0) {
    return { kind: 'alias export', sort, instance: reader.u32(), name: reader.name() }
  }
  if (target === 1) {
    return { kind: 'alias core export', sort, instance: reader.u32(), name: reader.name() }
  }
  if (target === 2) return { kind: 'alias outer', sort, count: reader.u32(), index: reader.u32() }
  throw unknown('alias', target)
}

// Indices are written as positive signed numbers, so that bit 6 of the first byte tells a primitive.
function readValue(reader: BinaryReader): ValueReference {
  const byte = reader.bytes[reader.at] ?? 0
  if (byte < 0x40 || byte >= 0x80) return reader.u32()
  reader.byte()
  const known = primitive(byte)
  if (known) return known
  throw unknown('type', byte)
}

function readLabelled(reader: BinaryReader): ValueReference {
  reader.skipName()
  return readValue(reader)
}

function readOptional(reader: BinaryReader): ValueReference | undefined {
  return reader.byte() === 0 ? undefined : readValue(reader)
}

function readCase(reader: BinaryReader): ValueReference | undefined {
  reader.skipName()
  const type = readOptional(reader)
  if (reader.byte() !== 0) throw new BinaryError('has a variant that refines another')
  return type
}

function readFunction(reader: BinaryReader): TypeCode {
  const params = times(reader, () => readLabelled(reader))
  if (reader.byte() === 0) return { kind: 'function', params, result: readValue(reader) }
  if (reader.u32() !== 0) throw new BinaryError('has a function with several results')
  return { kind: 'function', params, result: undefined }
}

function readResource(reader: BinaryReader): TypeCode {
  const representation = reader.byte()
  if (representation !== 0x7f) throw unknown('resource representation', representation)
  return { kind: 'resource', destructor: reader.byte() === 0 ? undefined : reader.u32() }
}

function readDeclaration(
  reader: BinaryReader,
  depth: number,
  { inComponent }: { inComponent: boolean },
): Declaration {
  const code = reader.byte()
  if (code === 0x01) return { kind: 'type', type: readType(reader, depth + 1) }
  if (code === 0x02) {
    const alias = readAlias(reader)
    if (alias.kind !== 'alias core export') return alias
  }
  if (code === 0x04 || (code === 0x03 && inComponent)) {
    return { kind: 'export', name: readName(reader), extern: readExtern(reader) }
  }
  throw unknown('declaration', code)
}
