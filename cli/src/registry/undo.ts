/** Takes back what `ftl add` has written, when the component then fails its test. */
import { readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LOCK_FILE } from '../pinning/lock-file.ts'
import { addedFile } from './manifest-entry.ts'

/**
 * Remembers the files that adding this component changes.
 *
 * @returns puts them back, at once: also while the command is being ended.
 */
export function rememberFiles(folder: string, id: string): () => void {
  const component = join(folder, addedFile(id))
  const files = [join(folder, 'spin.toml'), join(folder, LOCK_FILE), component]
  const before = files.map((file) => [file, contentOf(file)] as const)
  return () => {
    for (const [file, content] of before) {
      if (content) writeFileSync(file, content)
      else rmSync(file, { force: true })
    }
    try {
      // Only when it is empty.
      rmdirSync(dirname(component))
    } catch {
      // It has other components.
    }
  }
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
