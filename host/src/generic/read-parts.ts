/** The small parts of a component's binary that its sections share. */
import { BinaryError, type BinaryReader } from '../prepare/binary.ts'
import type { NamedReference, Reference, Sort } from './code.ts'

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

export function readSort(reader: BinaryReader): Sort {
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
