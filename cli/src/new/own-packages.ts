/** How to install one more of our packages: from the registry, or from the file beside that of the installed `ftl`. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { NewFailure, ownPackages } from 'create-ftl-tool'

/** @param folder of the application, or one in it. */
export function installCommand(name: string, folder = process.cwd()): string {
  return `npm install --save-dev ${
    packedHere(folder)
      ?.get(name)
      ?.replace(/^file:/, '') ?? name
  }`
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

/** The tarball that the nearest `package.json` names. */
function addressOfFtl(folder: string): string | undefined {
  const address = devDependencies(join(folder, 'package.json'))?.['ftl']
  if (typeof address === 'string') {
    const [, path] = /^file:(.+\.tgz)$/.exec(address) ?? []
    return path && resolve(folder, path)
  }
  const above = dirname(folder)
  return above === folder ? undefined : addressOfFtl(above)
}

function devDependencies(file: string): Record<string, unknown> | undefined {
  try {
    const { devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
      devDependencies?: Record<string, unknown>
    }
    return devDependencies
  } catch {
    return undefined
  }
}
