/** Giving the tables of a core module an upper limit. */
import { BinaryError, BinaryReader, encodeU32, readSections } from './binary.ts'
import { SECTION } from './module-shape.ts'

/** Elements all tables of an instance may have together, 16 to 24 bytes each. Engines have 10,000 to 30,000. */
export const TABLE_LIMIT = 200_000

/** Elements that the tables of each module have when it starts. */
export const ownTables = (module: Uint8Array): number[] =>
  readTables(module)?.tables.map(({ min }) => min) ?? []

/**
 * How far a table may grow when several share the limit.
 *
 * @param tables elements of each when it starts.
 * @throws {BinaryError} when they start above the limit.
 */
export function tableShare(tables: readonly number[]): number {
  const needed = tables.reduce((sum, elements) => sum + elements, 0)
  if (needed <= TABLE_LIMIT) return (TABLE_LIMIT - needed) / Math.max(1, tables.length)
  throw new BinaryError(`needs tables of ${needed} elements, more than the limit of ${TABLE_LIMIT}`)
}

/** @param share elements by which each table may grow, see {@link tableShare}. */
export function limitTables(module: Uint8Array, share: number): Uint8Array {
  const read = readTables(module)
  if (!read || read.tables.length === 0) return module
  const { start, end, tables } = read
  const body = [
    ...encodeU32(tables.length),
    ...tables.flatMap(({ min, max }) => [
      ...[FUNCREF, 1, ...encodeU32(min)],
      ...encodeU32(Math.max(min, Math.min(max, min + Math.floor(share)))),
    ]),
  ]
  return Buffer.concat([
    module.subarray(0, start),
    Buffer.from([SECTION.table, ...encodeU32(body.length), ...body]),
    module.subarray(end),
  ])
}

const FUNCREF = 0x70

interface Tables {
  /** With the head of the section. */
  start: number
  end: number
  tables: { min: number; max: number }[]
}

function readTables(module: Uint8Array): Tables | undefined {
  const sections = readSections(module)
  const at = sections.findIndex(({ id }) => id === SECTION.table)
  const section = sections[at]
  if (!section) return undefined
  const reader = new BinaryReader(module, section.start)
  const tables: Tables['tables'] = []
  for (let left = reader.u32(); left > 0; left--) {
    reader.byte() // funcref, as checked before
    const limited = reader.byte() === 1
    tables.push({ min: reader.u32(), max: limited ? reader.u32() : Infinity })
  }
  return { start: sections[at - 1]?.end ?? 8, end: section.end, tables }
}
