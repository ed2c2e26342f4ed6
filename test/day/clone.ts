/** A clone of this repository as it is now, with what `npm ci` has installed: commands may change it. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../support/command.ts'

/** @param folder is made. */
export function makeClone(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  for (const path of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    // A file that was deleted and not committed yet.
    cpSync(join(REPOSITORY, path), join(folder, path), { force: true, errorOnExist: false })
  }
  const installed = join(REPOSITORY, 'node_modules')
  mkdirSync(join(folder, 'node_modules'))
  for (const entry of readdirSync(installed, { withFileTypes: true })) {
    const { name } = entry
    // The packages of the clone are its own folders, as those of this repository are here.
    const to = entry.isSymbolicLink() ? readlinkSync(join(installed, name)) : join(installed, name)
    if (name === '.bin') copyLinks(join(installed, name), join(folder, 'node_modules', name))
    else symlinkSync(to, join(folder, 'node_modules', name))
  }
}

function copyLinks(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) symlinkSync(readlinkSync(join(from, name)), join(to, name))
}
