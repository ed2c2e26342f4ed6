/** The end of an audit log that another process has written. */
import { fstatSync, readSync } from 'node:fs'
import { hashOf, type Head, linkOf, START } from './hash-chain.ts'

export interface Tail {
  /** Of the last whole line. */
  head: Head
  /** Bytes of the file. */
  size: number
  /** What follows the last whole line: the process ended while it wrote. */
  torn: Uint8Array | undefined
  /** Number of the first line; `undefined` in an empty file. */
  first: number | undefined
}

/** The last line is not one of an audit log. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError'
}

/** Bytes that are read at once; a line is shorter. */
const PIECE = 64 * 1024

const NEWLINE = 0x0a

/** @throws {ForeignFileError} when the file is not empty and holds something else. */
export function readTail(fd: number): Tail {
  const { size } = fstatSync(fd)
  const end = readLast(fd, size)
  const newline = end.lastIndexOf(NEWLINE)
  const torn = end.subarray(newline + 1)
  if (newline < 0) {
    if (size > PIECE) throw new ForeignFileError('its last line is too long')
    // A file with a part of a line only: the first line was torn.
    if (size > 0 && end[0] !== 0x7b) throw new ForeignFileError('it is not an audit log')
    return { head: START, size, torn: size > 0 ? torn : undefined, first: undefined }
  }
  const start = end.lastIndexOf(NEWLINE, newline - 1) + 1
  const line = end.subarray(start, newline)
  const link = linkOf(line.toString('utf8'))
  if (!link) throw new ForeignFileError('its last line is not a line of an audit log')
  return {
    head: { seq: link.seq, hash: hashOf(line) },
    size,
    torn: torn.length > 0 ? torn : undefined,
    first: firstOf(fd, size),
  }
}

function readLast(fd: number, size: number): Buffer {
  const length = Math.min(size, 2 * PIECE)
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, size - length))
}

function firstOf(fd: number, size: number): number | undefined {
  const bytes = Buffer.alloc(Math.min(size, PIECE))
  readSync(fd, bytes, 0, bytes.length, 0)
  const [line = ''] = bytes.toString('utf8').split('\n', 1)
  return linkOf(line)?.seq
}
