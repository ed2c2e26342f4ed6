/** The declarations that a program of this caller has: the gateway writes them. */
import type { Manager } from 'ftl-client'
import { CommandFailure } from '../terminal/failure.ts'
import { runProgram, type RunOptions } from './run-program.ts'

/** Characters of one part: a long result would be cut. */
const PART = 40_000

const partFrom = (offset: number) =>
  `const { declarations } = await describe()
return { length: declarations.length, part: declarations.slice(${offset}, ${offset + PART}) }`

/** @throws {CommandFailure} */
export async function fetchDeclarations(
  manager: Manager,
  server: string,
  options: RunOptions,
): Promise<string> {
  let text = ''
  for (;;) {
    const { report } = await runProgram(manager, server, partFrom(text.length), options)
    const { part, length } = (report?.result ?? {}) as { part?: unknown; length?: unknown }
    if (typeof part !== 'string' || typeof length !== 'number') {
      const why = report?.error?.message ?? 'the result of its run_code has another form'
      throw new CommandFailure(`the server gave no declarations of its tools: ${why}`)
    }
    text += part
    if (part === '' || text.length >= length) return `${text}\n`
  }
}
