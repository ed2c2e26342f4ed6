/** A Python package in a virtual environment of its own in the folder `.ftl`, where it is installed once. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY } from './command.ts'

const run = promisify(execFile)

/** The programs of the environment, or why there is none. */
export type PythonPackage = { bin: string } | { missing: string }

/** @param version exact, so that a test finds the same thing tomorrow. */
export async function installPythonPackage(
  name: string,
  version: string,
  { limitMs = 100_000 } = {},
): Promise<PythonPackage> {
  const folder = join(REPOSITORY, '.ftl', `${name}-${version}`)
  const bin = join(folder, 'bin')
  const done = join(folder, 'complete')
  if (existsSync(done)) return { bin }
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const limits = { timeout: limitMs }
    // Debian ships python3 without the module that makes environments.
    await run('python3', ['-m', 'venv', folder], limits)
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
    await run(join(bin, 'python'), [...pip, `${name}==${version}`], limits)
    await writeFile(done, '')
    return { bin }
  } catch (error) {
    const { message, killed } = error as Error & { killed?: boolean }
    // A command that its limit ends prints nothing.
    const cause = killed === true ? `not within ${limitMs / 1000} s: ${message}` : message
    return { missing: `${name} ${version} cannot be installed: ${cause.slice(0, 300)}` }
  }
}
