/**
 * The chain of an audit log: each line has a number and the SHA-256 of the line before.
 *
 * It shows that a line was removed, changed, inserted or moved. Anyone who may write the file can make a new chain of
 * all lines: only a hash that is kept elsewhere shows that.
 */
import { hash } from 'node:crypto'

/** Where a chain has come to. */
export interface Head {
  /** Number of its last line; 0 before the first. */
  seq: number
  /** SHA-256 of its last line, in hexadecimal. */
  hash: string
}

/** `prev` of the first line. */
export const START: Head = { seq: 0, hash: '0'.repeat(64) }

/** SHA-256 of a line without its line end. */
export const hashOf = (line: string | Uint8Array): string => hash('sha256', line, 'hex')

/** @param entry JSON text of an object with at least one member. */
export function chained(entry: string, { seq, hash: prev }: Head): string {
  return `{"seq":${seq + 1},"prev":"${prev}",${entry.slice(1)}`
}

const LINK = /^\{"seq":(\d{1,15}),"prev":"([0-9a-f]{64})","/

/** The number of a line and the hash of the one before; `undefined` for any other text. */
export function linkOf(line: string): Head | undefined {
  const [, seq, prev] = LINK.exec(line) ?? []
  if (seq === undefined || prev === undefined || !line.endsWith('}')) return undefined
  return { seq: Number(seq), hash: prev }
}
