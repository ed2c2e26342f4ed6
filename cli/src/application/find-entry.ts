import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { resolveModule } from '../build/resolve-module.ts'
import { CommandFailure } from '../terminal/failure.ts'

/** As npm takes names of packages, and a path inside after it. */
const PACKAGE = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(\/.+)?$/i

/** A file of the manifest's folder, or else the module of an installed package. */
export async function findEntry(entry: string, folder: string, where: string): Promise<string> {
  const absolute = resolve(folder, entry)
  const isFile = await stat(absolute).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile) return absolute
  // A file that is not there is no package, however much its name looks like one.
  if (!PACKAGE.test(entry) || /\.[cm]?[jt]sx?$/.test(entry)) {
    throw new CommandFailure(
      `${where} entry: there is no ${absolute}; correct the path in spin.toml, or write the file${removal(where)}`,
    )
  }
  const found = await resolveModule(entry, folder)
  if ('path' in found) return found.path
  const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(entry) ?? []
  throw new CommandFailure(
    `${where} entry: there is no file ${absolute}, and no package "${entry}": ${found.problem}\n` +
      `Run "npm install ${name}" in ${folder}, or correct the entry.`,
  )
}

/** For a component whose folder was deleted. @param where `[component.greet.tool.ftl]` */
function removal(where: string): string {
  const [, id] = /^\[component\.([\w-]+)\.tool\.ftl\]$/.exec(where) ?? []
  return id === undefined ? '' : `. If the component was deleted: ftl remove ${id}`
}
