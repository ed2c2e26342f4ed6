/** `skills` in `[component.X.tool.ftl]`: the folders that become part of the component. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { SKILL_FILE } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'

/**
 * @param key a list of folders, each a skill or with skills in it; `true` for a component that has skills of its own.
 * @param folder that of `spin.toml`.
 * @param where the table, for messages.
 * @returns absolute paths, each of one skill.
 * @throws {CommandFailure} naming the key that is wrong.
 */
export function skillFolders(key: unknown, folder: string, where: string): string[] {
  if (key === undefined || key === true) return []
  const isList = Array.isArray(key) && key.length > 0
  if (!isList || !key.every((each): each is string => typeof each === 'string' && each !== '')) {
    throw new CommandFailure(
      `${where} skills must be a list of folders, such as ["skills"], or true for a component that has skills of its own`,
    )
  }
  const found = new Map<string, string>()
  for (const path of key.flatMap((each) => skillsIn(each, folder, where))) {
    const other = found.get(basename(path))
    if (other !== undefined) {
      const [one, two] = [other, path].map((each) => relative(folder, each))
      throw new CommandFailure(
        `${where} skills: ${one === two ? `${one} is named twice` : `${one} and ${two} have the same name`}: remove one`,
      )
    }
    found.set(basename(path), path)
  }
  return [...found.values()]
}

function skillsIn(path: string, folder: string, where: string): string[] {
  const absolute = resolve(folder, path)
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandFailure(`${where} skills: there is no folder ${path}: correct the path`)
  }
  // Also one that a link leads out of it.
  const inside = relative(realpathSync(folder), realpathSync(absolute))
  if (inside === '..' || inside.startsWith('../') || inside.startsWith('..\\')) {
    throw new CommandFailure(`${where} skills: ${path} must be in the folder of spin.toml`)
  }
  if (existsSync(join(absolute, SKILL_FILE))) return [absolute]
  const below = readdirSync(absolute)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(absolute, name))
    .filter((each) => existsSync(join(each, SKILL_FILE)))
  if (below.length > 0) return below
  throw new CommandFailure(
    `${where} skills: ${path} has no ${SKILL_FILE}, and no folder in it has one`,
  )
}
