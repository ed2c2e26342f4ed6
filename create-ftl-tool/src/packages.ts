/** Packed packages in a folder, for applications that use unpublished versions. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NewFailure } from './failure.ts'

/** Name of a file that `npm pack` writes. */
const PACKED = /^((?:create-)?ftl(?:-[a-z]+)*)-\d+\.\d+\.\d+.*\.tgz$/

/**
 * @returns the `file:` address of each package, by its name.
 * @throws {NewFailure} when the folder does not exist or has no package `ftl`.
 */
export function ownPackages(folder: string): Map<string, string> {
  const absolute = resolve(folder)
  const found = new Map<string, string>()
  for (const file of list(absolute)) {
    const name = PACKED.exec(file)?.[1]
    if (name !== undefined) {
      found.set(name, `file:${join(absolute, file)}`)
    }
  }
  if (!found.has('ftl')) throw new NewFailure(`--packages: there is no ftl-*.tgz in ${absolute}`)
  return found
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    throw new NewFailure(`--packages: there is no folder ${folder}`)
  }
}
