/** Writes files that a plan proposes, and never over one that is there: the user may have changed it. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { CommandFailure } from '../terminal/failure.ts'

/**
 * @param files by path below `folder`.
 * @returns the paths, relative to the current folder.
 * @throws {CommandFailure} naming the files that exist; then none is written.
 */
export async function writeNew(
  folder: string,
  files: ReadonlyMap<string, string>,
  target: string,
): Promise<string[]> {
  if (files.size === 0) throw new CommandFailure(`--write: ${target} needs no files`)
  const inTheWay = [...files.keys()].filter((name) => existsSync(join(folder, name)))
  if (inTheWay.length > 0) throw new CommandFailure(exists(folder, inTheWay))
  const written: string[] = []
  for (const [name, text] of files) {
    const path = resolve(join(folder, name))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      // One that was made meanwhile, or a link that leads nowhere.
      if (error.code === 'EEXIST') throw new CommandFailure(exists(folder, [name]))
      const shown = relative(process.cwd(), path)
      throw new CommandFailure(`--write: ${shown} cannot be written (${error.code})`)
    })
    written.push(relative(process.cwd(), path))
  }
  return written
}

function exists(folder: string, names: readonly string[]): string {
  const shown = names.map((name) => relative(process.cwd(), resolve(join(folder, name))))
  const [verb, them] = names.length === 1 ? ['exists', 'it'] : ['exist', 'them']
  return `--write: ${shown.join(' and ')} ${verb}: remove ${them}, or name another folder`
}
