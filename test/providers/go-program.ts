/** A program in Go, built once from a folder with its source. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE } from './cache.ts'
import type { Found } from './provider.ts'

const LIMIT_MS = 45 * 60_000

export interface GoProgram {
  name: string
  /** Folder or program. */
  variable: string
  /** Package of the program, in the folder. */
  main: string
  flags?: readonly string[]
}

/**
 * Its module has replace directives, so `go install` refuses it, and its releases of this year are in no module proxy.
 *
 * @returns the program: the one that the variable names, or the one built from the source that it names.
 */
export async function goProgram({ name, variable, main, flags = [] }: GoProgram): Promise<Found> {
  const built = join(CACHE, name)
  if (existsSync(built)) return { path: built }
  const given = process.env[variable]
  if (given === undefined)
    return { missing: `${variable} must be the path of ${name}, or of a folder with its source` }
  try {
    if (!(await stat(given)).isDirectory()) return { path: given }
    await promisify(execFile)('go', ['build', ...flags, '-o', built, main], {
      cwd: given,
      timeout: LIMIT_MS,
    })
    return { path: built }
  } catch (error) {
    const { message } = error as Error
    return { missing: `${name} cannot be built from ${given}: ${message.slice(0, 300)}` }
  }
}
