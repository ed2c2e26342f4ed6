/** `ftl remove PART`: takes out what `ftl add PART` has written to `spin.toml`; its files with settings stay. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type ComponentSpec, type Part, variablesOf } from 'create-ftl-tool'
import { type Manifest, parseManifest } from 'ftl-host'
import { removeEntry } from '../registry/manifest-entry.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { replaceManifest } from './add-component.ts'

export interface RemovedPart {
  components: string[]
  /** Folders with settings, which the author may have changed. */
  left: string[]
}

/** @returns `undefined` if the application has nothing of it. @throws {CommandFailure} and has then written nothing. */
export function removePart(manifestFile: string, part: Part): RemovedPart | undefined {
  const file = realpathSync(manifestFile)
  const before = readFileSync(file, 'utf8')
  const first = parseManifest(before, file)
  const components = part.components
    .filter(({ spec }) => isOfPackage(first, spec))
    .map(({ spec }) => spec.id)
  if (components.length === 0) return undefined
  let text = before
  for (const id of components) text = removeEntry(text, parseManifest(text, file), id)
  text = withoutVariables(text, file, unchangedVariables(first, part))
  replaceManifest(file, before, text)
  const folders = part.components
    .flatMap(({ spec, folders }) => folders.map((name) => `tools/${spec.id}/${name}`))
    .filter((folder) => existsSync(join(first.folder, folder)))
  return { components, left: folders }
}

/** A component of the author's own may have the name of a part. */
function isOfPackage({ components }: Manifest, { id, entry }: ComponentSpec): boolean {
  return entry !== undefined && components.get(id)?.tool['ftl']?.['entry'] === entry
}

/** A value that the author has set may be wanted again. */
function unchangedVariables({ variables }: Manifest, part: Part): string[] {
  return Object.entries(variablesOf(part)).flatMap(([name, { default: value }]) =>
    variables.get(name)?.default === value ? name : [],
  )
}

/** Variables that another component receives stay. */
function withoutVariables(text: string, file: string, names: readonly string[]): string {
  const unused = names.filter((name) => !new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(text))
  const isTheirs = (line: string) => {
    const [, name = ''] = /^([a-z][a-z0-9_]*)\s*=\s*\{.*\}\s*$/.exec(line) ?? []
    return unused.includes(name)
  }
  const shorter = text
    .split('\n')
    .filter((line) => !isTheirs(line))
    .join('\n')
  const [was, is] = [parseManifest(text, file), parseManifest(shorter, file)]
  const isSame =
    isDeepStrictEqual([...is.components], [...was.components]) &&
    isDeepStrictEqual(is.triggers, was.triggers) &&
    [...was.variables.keys()].every((name) => is.variables.has(name) || unused.includes(name))
  if (isSame) return shorter
  throw new CommandFailure('spin.toml cannot be edited without a change of something else')
}
