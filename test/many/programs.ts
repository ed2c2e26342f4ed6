/** Programs of Debian that these tests run: those on the path; where CI runs as root on Debian, they are installed. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian has administrators' programs in folders that are not on every path. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** @returns the path of the first one there is. @param packages of Debian, tried in their order */
export function findProgram(
  names: readonly string[],
  packages: readonly string[],
): string | undefined {
  const found = onPath(names)
  const mayInstall =
    process.env['CI'] === 'true' && process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (found !== undefined || !mayInstall) return found
  for (const name of packages) {
    console.log(`there is no ${names.join(' or ')}: apt-get install -y ${name}`)
    try {
      // A new machine has no lists yet.
      execFileSync('apt-get', ['update'], { stdio: 'ignore' })
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
        stdio: 'ignore',
      })
    } catch {
      continue
    }
    const installed = onPath(names)
    if (installed !== undefined) return installed
  }
  return undefined
}

function onPath(names: readonly string[]): string | undefined {
  return names.flatMap((name) => FOLDERS.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
