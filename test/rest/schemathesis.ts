/**
 * Schemathesis, which generates requests from an OpenAPI document and judges the answers. It needs Python; it is installed
 * once into the folder `.ftl`, in a virtual environment of its own.
 *
 * @see https://schemathesis.readthedocs.io
 */
import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from '../support/command.ts'

const run = promisify(execFile)

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))
const INSTALL_LIMIT_MS = 100_000
const RUN_LIMIT_MS = 100_000

/** Where to find the command, or why it is not there. */
export type Installed = { command: string } | { missing: string }

/** Installs it unless it is there already. */
export async function installSchemathesis(): Promise<Installed> {
  const version = /==(\S+)/.exec(await readFile(REQUIREMENTS, 'utf8'))?.[1] ?? ''
  const folder = join(REPOSITORY, '.ftl', `schemathesis-${version}`)
  const command = join(folder, 'bin', 'schemathesis')
  const done = join(folder, 'complete')
  if (existsSync(done)) return { command }
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const limits = { timeout: INSTALL_LIMIT_MS }
    // Debian ships python3 without the module that makes environments.
    await run('python3', ['-m', 'venv', folder], limits)
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
    await run(join(folder, 'bin', 'python'), [...pip, '-r', REQUIREMENTS], limits)
    await writeFile(done, '')
    return { command }
  } catch (error) {
    const { message } = error as Error
    return { missing: `Schemathesis ${version} cannot be installed: ${message.slice(0, 300)}` }
  }
}

/** Runs it on a document. @returns its report, which is for people, and whether it found nothing. */
export async function runSchemathesis(
  command: string,
  document: string,
  options: { cwd: string; args: string[] },
): Promise<{ passed: boolean; report: string }> {
  const args = ['run', document, '--no-color', ...options.args]
  try {
    // Its own files go to the working directory.
    const { stdout } = await run(command, args, { cwd: options.cwd, timeout: RUN_LIMIT_MS })
    return { passed: true, report: stdout }
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as ExecFileException
    const report = `${String(stdout)}${String(stderr)}`
    return { passed: false, report: report === '' ? message : report }
  }
}
