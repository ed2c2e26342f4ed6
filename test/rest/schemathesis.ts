/**
 * Schemathesis, which generates requests from an OpenAPI document and judges the answers. It needs Python; it is installed
 * once into the folder `.ftl`, in a virtual environment of its own.
 *
 * @see https://schemathesis.readthedocs.io
 */
import { type ExecFileException, execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPythonPackage } from '../support/python-package.ts'

const run = promisify(execFile)

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))
const RUN_LIMIT_MS = 100_000

/** Where to find the command, or why it is not there. */
export type Installed = { command: string } | { missing: string }

/** Installs it unless it is there already. */
export async function installSchemathesis(): Promise<Installed> {
  const [, name = '', version = ''] =
    /^(\S+)==(\S+)/m.exec(await readFile(REQUIREMENTS, 'utf8')) ?? []
  const installed = await installPythonPackage(name, version)
  return 'bin' in installed ? { command: join(installed.bin, 'schemathesis') } : installed
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
