/** Installs each framework into a folder of its own, once. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Framework } from './frameworks.ts'

const run = promisify(execFile)
const LIMITS = { timeout: 900_000, maxBuffer: 64 * 1024 * 1024 }

/** @returns the program and its first arguments. */
export async function install(
  root: string,
  name: string,
  { language, packages }: Framework,
  python: string,
): Promise<[string, ...string[]]> {
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)
  const folder = join(root, `${name}-${hash}`)
  const done = join(folder, 'complete')
  const bin = join(folder, 'bin', 'python')
  if (!existsSync(done)) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    if (language === 'python') {
      await run(python, ['-m', 'venv', folder], LIMITS)
      const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check']
      await run(bin, [...pip, ...packages], LIMITS)
    } else {
      await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
      const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts']
      await run('npm', [...npm, ...packages], { ...LIMITS, cwd: folder })
    }
    await writeFile(done, '')
  }
  if (language === 'python') return [bin, join(import.meta.dirname, 'python', 'ask.py')]
  // A module finds packages by where it is.
  const script = join(folder, 'ask.mjs')
  await copyFile(join(import.meta.dirname, 'node', 'ask.mjs'), script)
  return [process.execPath, script]
}
