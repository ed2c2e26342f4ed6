/**
 * Which files an import may bring into a component. The build reads with the rights of the developer, and what it reads is
 * in the component: without these rules, a package could take along any file of the machine.
 */
import type { Metafile, Plugin } from 'esbuild'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { visible } from '../terminal/visible-text.ts'

const CODE = /\.[cm]?[jt]sx?$/

/** Files by which a folder is the top of a project. */
const TOPS = ['package.json', 'spin.toml', '.git']

/** A key of a metafile that is in a namespace of a plugin, and not a file. */
const NAMESPACE = /^(\w[\w-]+|\(disabled\)):/

const RULE = 'a package may import its own files and other packages'

const isInstalled = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file)

const isWithin = (file: string, folder: string): boolean => file.startsWith(folder + sep)

/**
 * Refuses, before it is read, what a package names by a path that leaves all packages, and devices.
 *
 * @param entries absolute paths of the components that are built together: the builder imports them beside the first one,
 * which can be an installed package. @default none
 */
export const ownFiles = (entries: readonly string[] = []): Plugin => ({
  name: 'importable-files',
  setup(context) {
    context.onResolve({ filter: /^\/|^[a-zA-Z]:|\.\./ }, ({ path, importer, namespace }) => {
      if (namespace !== 'file' || !isInstalled(importer) || entries.includes(path)) return undefined
      const target = isAbsolute(path) ? path : join(dirname(importer), path)
      return isInstalled(target) || isWithin(target, import.meta.dirname)
        ? undefined
        : { errors: [{ text: `"${path}" is outside of the package: ${RULE}` }] }
    })
    context.onLoad({ filter: /^\/(dev|proc|sys)\// }, ({ path }) =>
      // A folder in memory, where a project can be.
      path.startsWith('/dev/shm/')
        ? undefined
        : { errors: [{ text: 'a device cannot be imported' }] },
    )
  },
})

/**
 * @param base folder that the paths of `metafile` are relative to.
 * @param ours folders of our own modules, which the builder adds. @default none
 * @returns what is wrong with imports that lead to a file they may not lead to, for example by a link or by `main`.
 */
export function foreignInputs(
  { inputs }: Pick<Metafile, 'inputs'>,
  base: string,
  ours: readonly string[] = [],
): string[] {
  const problems: string[] = []
  for (const [from, { imports }] of Object.entries(inputs)) {
    if (NAMESPACE.test(from) || from.endsWith('.entry.js')) continue
    const importer = resolve(base, from)
    for (const { path, original, external } of imports) {
      if (external || original === undefined || NAMESPACE.test(path)) continue
      const target = resolve(base, path)
      if (ours.some((folder) => isWithin(target, folder))) continue
      const problem = foreignImport(importer, original, target)
      if (problem !== undefined) problems.push(problem)
    }
  }
  return problems
}

/** @returns what is wrong with an import that leads to `target`. */
export function foreignImport(
  importer: string,
  original: string,
  target: string,
): string | undefined {
  if (isInstalled(target)) return undefined
  const words = `${visible(relative(process.cwd(), importer))}: the import of "${original}" leads to a file outside of the `
  const folders = isPath(original) ? [] : packageFolders(original, importer)
  if (folders.length > 0 || isInstalled(importer)) {
    // A package of a workspace is a link in `node_modules`.
    const isOwn = folders.some((folder) => isWithin(target, folder))
    return isOwn ? undefined : `${words}package: ${RULE}`
  }
  if (CODE.test(target) || isWithin(target, projectOf(importer))) return undefined
  return `${words}project: copy it into the project`
}

const isPath = (specifier: string) => /^\.{0,2}[\\/]|^\.{1,2}$|^[a-zA-Z]:/.test(specifier)

/** Where a package that a module names can be, without links. */
function packageFolders(specifier: string, importer: string): string[] {
  const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  return above(importer)
    .map((folder) => join(folder, 'node_modules', name))
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder))
}

/** The highest folder above a file that is the top of a project. The home of a user does not count. */
function projectOf(file: string): string {
  const folders = above(file)
  const isTop = (folder: string) =>
    folder !== homedir() && TOPS.some((name) => existsSync(join(folder, name)))
  return folders.findLast(isTop) ?? dirname(file)
}

/** Whether an error may show a line of a file: no import that an attacker wrote has led to it. */
export function mayShow(file: string, entry: string): boolean {
  return isInstalled(file) || (CODE.test(file) && isWithin(file, projectOf(entry)))
}

function above(file: string): string[] {
  const folders = []
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(folder)
  }
  return folders
}
