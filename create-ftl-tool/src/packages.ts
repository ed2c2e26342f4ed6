/**
 * Packed packages in a folder: how an application is made of versions that no registry has.
 *
 * @module
 */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NewFailure } from './failure.ts'

/** What `npm pack` calls its file. */
const PACKED = /^((?:create-)?ftl(?:-[a-z]+)*)-\d+\.\d+\.\d+.*\.tgz$/

/**
 * @returns the `file:` address of each package, by its name.
 * @throws {NewFailure} when there is none.
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
