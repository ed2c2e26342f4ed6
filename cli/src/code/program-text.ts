import { readFileSync } from 'node:fs'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

/** @param file `-` for standard input. @throws {CommandFailure} */
export function readProgram(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const problem = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    throw new CommandFailure(`${visible(file)}: ${problem}`)
  }
}
