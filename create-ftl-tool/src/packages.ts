/** Packed packages in a folder, for applications that use unpublished versions. */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { NewFailure } from './failure.ts'

/** Where an application keeps them: what it is installed from must travel with it, into an image and a pipeline. */
const OWN_FOLDER = 'packages'

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

/** The address of each package as an application names it that {@link copyPackages} has given them to. */
export function copiedPackages(folder: string): Map<string, string> {
  return new Map(
    [...ownPackages(folder)].map(([name, address]) => [
      name,
      `file:${OWN_FOLDER}/${basename(address)}`,
    ]),
  )
}

/** @param to folder of the application. */
export function copyPackages(folder: string, to: string): void {
  mkdirSync(join(to, OWN_FOLDER), { recursive: true })
  for (const address of ownPackages(folder).values()) {
    copyFileSync(address.replace(/^file:/, ''), join(to, OWN_FOLDER, basename(address)))
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    throw new NewFailure(`--packages: there is no folder ${folder}`)
  }
}
