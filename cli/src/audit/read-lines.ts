/** The lines of files or of standard input, each as the bytes that its hash covers. */
import { createReadStream } from 'node:fs'
import { CommandFailure } from '../terminal/failure.ts'

export interface Line {
  /** As written on the command line. */
  file: string
  /** From 1. */
  number: number
  /** Without the line end. */
  bytes: Uint8Array
  /** Whether it has a line end. */
  isWhole: boolean
}

const NEWLINE = 0x0a

/** A line of an audit log has 16 KiB at most; anything longer is not one. */
const MAX_LINE = 1024 * 1024

/** @throws {CommandFailure} */
export async function* readLines(files: readonly string[]): AsyncGenerator<Line> {
  for (const file of files) {
    const stream = file === '-' ? process.stdin : createReadStream(file)
    let rest: Buffer = Buffer.alloc(0)
    let number = 0
    try {
      for await (const chunk of stream as AsyncIterable<Buffer | string>) {
        rest = Buffer.concat([rest, Buffer.from(chunk)])
        let from = 0
        for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE, from)) {
          yield { file, number: ++number, bytes: rest.subarray(from, at), isWhole: true }
          from = at + 1
        }
        rest = rest.subarray(from)
        if (rest.length > MAX_LINE) {
          throw new CommandFailure(`${file}:${number + 1}: the line is too long for an audit log`)
        }
      }
    } catch (error) {
      if (error instanceof CommandFailure) throw error
      const { code = '' } = error as NodeJS.ErrnoException
      throw new CommandFailure(
        code === 'ENOENT' ? `there is no ${file}` : `${file} cannot be read (${code})`,
      )
    }
    if (rest.length > 0) yield { file, number: ++number, bytes: rest, isWhole: false }
  }
}
