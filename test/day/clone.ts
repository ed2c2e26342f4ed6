/** A clone of this repository as it is now, with what `npm ci` has installed: commands may change it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
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
    // Deleted, and not committed yet.
    if (!existsSync(join(REPOSITORY, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(REPOSITORY, path), join(folder, path))
  }
  // Hard links: a folder elsewhere would be outside of what the host may read.
  const link = spawnSync('cp', ['-al', join(REPOSITORY, 'node_modules'), folder])
  if (link.status === 0) return
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  execFileSync('cp', ['-a', join(REPOSITORY, 'node_modules'), folder])
}
