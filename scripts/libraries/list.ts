/** The libraries that `npm run libraries` tries, with the versions it installs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Library {
  /** Its name on npm. */
  name: string
  version: string
  /** What an author writes for `uses/NAME.other.js`: another import, or another package beside it. */
  other?: string
  /** Packages that `other` needs, with their versions. */
  beside?: Record<string, string>
}

export interface Topic {
  topic: string
  libraries: Library[]
}

const FOLDER = import.meta.dirname

export function readTopics(): Topic[] {
  return JSON.parse(readFileSync(join(FOLDER, 'list.json'), 'utf8')) as Topic[]
}

/** The module with the small use of a library; `other` for the one that imports something else. */
export function useFile({ name }: Pick<Library, 'name'>, other = false): string {
  return `${idOf(name)}${other ? '.other' : ''}.js`
}

export function hasOtherUse(library: Pick<Library, 'name'>): boolean {
  return existsSync(join(FOLDER, 'uses', useFile(library, true)))
}

/** The name as part of a file name. */
export function idOf(name: string): string {
  return name.replace('/', '__')
}
