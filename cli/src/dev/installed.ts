/** Installed packages: where they are looked for, and which changes there mean that some were installed or removed. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** Files that npm, pnpm and Yarn write in `node_modules` at the end of an installation. */
const RECORDS = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity']

/** They decide what an import means. */
const SETTINGS = ['package.json', 'tsconfig.json', 'jsconfig.json']

/**
 * Files to watch, some of which do not exist yet.
 *
 * @param folder of the application: above it, only what exists is watched, because folders like `/tmp` change all the time.
 * @param failed whether a package that is missing may be the reason; then each change of the folders counts.
 */
export function placesOfPackages(entry: string, folder: string, failed: boolean): string[] {
  return above(entry).flatMap((each) => {
    const modules = join(each, 'node_modules')
    const isInside = each === folder || each.startsWith(folder + sep)
    return [
      ...(isInside ? [modules] : []),
      ...(existsSync(modules) ? [join(modules, 'x')] : []),
      ...(failed ? scopesIn(modules).map((scope) => join(scope, 'x')) : []),
    ]
  })
}

/** Whether the change of a file may give the component other packages. */
export function isInstalled(path: string, entry: string, failed: boolean): boolean {
  const name = basename(path)
  const parent = dirname(path)
  const folders = above(entry)
  if (folders.includes(parent)) {
    return SETTINGS.includes(name) || (failed && name === 'node_modules')
  }
  const isModules = (each: string) =>
    basename(each) === 'node_modules' && folders.includes(dirname(each))
  if (isModules(parent)) return RECORDS.includes(name) || (failed && !name.startsWith('.'))
  return failed && basename(parent).startsWith('@') && isModules(dirname(parent))
}

function above(file: string): string[] {
  const folders = []
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    folders.push(folder)
    if (folder === dirname(folder)) return folders
  }
}

function scopesIn(modules: string): string[] {
  try {
    return readdirSync(modules)
      .filter((name) => name.startsWith('@'))
      .map((name) => join(modules, name))
  } catch {
    return []
  }
}
