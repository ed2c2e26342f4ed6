/** How to install one more of our packages: from the registry, or from the file beside that of the installed `ftl`. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { NewFailure, ownPackages } from 'create-ftl-tool'

/** @param folder of the application, or one in it. */
export function installCommand(name: string, folder = process.cwd()): string {
  const address = packedHere(folder)?.get(name)
  if (address === undefined) return `npm install ${name}`
  const install = `npm install ${address.replace(/^file:/, '')}`
  // npm refuses a dependency that is overridden, too.
  return isOverridden(name, folder) ? `npm pkg delete overrides.${name} && ${install}` : install
}

/**
 * The packed packages that an application was made of.
 *
 * @returns the `file:` address of each by its name; `undefined` where `ftl` comes from the registry.
 */
export function packedHere(folder: string): Map<string, string> | undefined {
  const file = addressOfFtl(folder)
  if (file === undefined) return undefined
  try {
    return ownPackages(dirname(file))
  } catch (error) {
    // They were removed since.
    if (error instanceof NewFailure) return undefined
    throw error
  }
}

/** Whether the nearest `package.json` overrides it, as those of packed packages do. */
function isOverridden(name: string, folder: string): boolean {
  const overrides = manifestAt(join(folder, 'package.json'))?.['overrides']
  if (overrides !== undefined) return Object.hasOwn(overrides, name)
  const above = dirname(folder)
  return above !== folder && isOverridden(name, above)
}

/** The tarball that the nearest `package.json` names. */
function addressOfFtl(folder: string): string | undefined {
  const address = dependencies(join(folder, 'package.json'))?.['ftl']
  if (typeof address === 'string') {
    const [, path] = /^file:(.+\.tgz)$/.exec(address) ?? []
    return path && resolve(folder, path)
  }
  const above = dirname(folder)
  return above === folder ? undefined : addressOfFtl(above)
}

function dependencies(file: string): Names | undefined {
  const found = manifestAt(file)
  // Applications of earlier versions have it in the second.
  return found && { ...found['devDependencies'], ...found['dependencies'] }
}

type Names = Record<string, unknown>

function manifestAt(file: string): Record<string, Names | undefined> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Names | undefined>
  } catch {
    return undefined
  }
}
