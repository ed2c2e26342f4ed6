/** A folder with the libraries installed: not the repository's, which would grow by 700 MB. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Library } from './list.ts'

const run = promisify(execFile)

/** No lock file and no install scripts: what needs one cannot run in a component. */
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']

/**
 * Installs what is not installed yet, and copies the uses beside it, so that their imports lead there.
 *
 * @returns whether anything was installed.
 */
export async function installLibraries(
  folder: string,
  libraries: readonly Library[],
): Promise<boolean> {
  await mkdir(folder, { recursive: true })
  await rm(join(folder, 'uses'), { recursive: true, force: true })
  await cp(join(import.meta.dirname, 'uses'), join(folder, 'uses'), { recursive: true })
  const dependencies = Object.assign(
    {},
    ...libraries.map(({ name, version, beside }) => ({ ...beside, [name]: version })),
  ) as Record<string, string>
  const manifest = { private: true, type: 'module', dependencies }
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  // Written when all is installed, so that an interrupted installation is repeated.
  const done = join(folder, 'installed.json')
  if ((await readFile(done, 'utf8').catch(() => '')) === text) return false
  await writeFile(join(folder, 'package.json'), text)
  await run('npm', ['install', '--legacy-peer-deps', ...OPTIONS], {
    cwd: folder,
    shell: process.platform === 'win32',
    maxBuffer: 1 << 26,
  })
  await writeFile(done, text)
  return true
}
