/** Writes files that a plan proposes, and never over one that is there: the user may have changed it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { CommandFailure } from '../terminal/failure.ts'

/**
 * @param files by path below `folder`.
 * @returns the paths, relative to the current folder.
 * @throws {CommandFailure} naming the first file that exists; those before it are written.
 */
export async function writeNew(
  folder: string,
  files: ReadonlyMap<string, string>,
  target: string,
): Promise<string[]> {
  if (files.size === 0) throw new CommandFailure(`--write: ${target} needs no files`)
  const written: string[] = []
  for (const [name, text] of files) {
    const path = resolve(join(folder, name))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      const shown = relative(process.cwd(), path)
      if (error.code === 'EEXIST') {
        throw new CommandFailure(`--write: ${shown} exists: remove it, or name another folder`)
      }
      throw new CommandFailure(`--write: ${shown} cannot be written (${error.code})`)
    })
    written.push(relative(process.cwd(), path))
  }
  return written
}
