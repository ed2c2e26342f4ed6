/** Whether a package is the one that was asked for: a signature says who made it, and a registry chooses which one it sends. */
import { CommandFailure } from '../terminal/failure.ts'
import type { ComponentPackage } from './component-package.ts'

/** What the user has named, as far as the source names it. */
export interface Asked {
  /** Exact name of the package, as npm has it. @default the source has paths of its own */
  name?: string
  /** Exact version. @default the source has tags */
  version?: string
  /** Path in an OCI registry. */
  repository?: string
  /** Tag in an OCI registry. @default it was asked for by its digest, which names one content */
  tag?: string
}

/**
 * @param expected name that the user gives, for a source whose path is not that of the package.
 * @throws {CommandFailure} for another package or version: also where it is signed by a trusted key.
 */
export function refuseOther(
  { name, version }: Pick<ComponentPackage, 'name' | 'version'>,
  { repository, tag, ...asked }: Asked,
  expected?: string,
): void {
  const is = `${name}@${version}`
  const other = (what: string, remedy: string) =>
    new CommandFailure(
      `the registry answered with the package ${is}, and ${what} was asked for: nothing was added. ${remedy}`,
    )
  const publisher = 'Ask its publisher, or the operator of the registry.'
  const exact = expected ?? asked.name
  if (exact !== undefined && exact !== name) throw other(`the package ${exact}`, publisher)
  if (asked.version !== undefined && asked.version !== version)
    throw other(`the version ${asked.version}`, publisher)
  if (tag === undefined || repository === undefined) return
  if (expected === undefined && !isPathOf(repository, name))
    throw other(
      `${repository}`,
      `If that is where ${name} is stored, add --package ${name}. Otherwise ask its publisher.`,
    )
  if (!fitsTag(version, tag)) throw other(`the tag ${tag}`, publisher)
}

/** `@acme/weather` is stored under `…/acme/weather`, and `weather` under `…/weather`. */
function isPathOf(repository: string, name: string): boolean {
  const wanted = name.replace(/^@/, '').toLowerCase().split('/')
  const path = repository.toLowerCase().split('/')
  return path.slice(-wanted.length).join('/') === wanted.join('/')
}

/** Tags such as `latest` name no version; `1.2` names every version that begins with it. */
function fitsTag(version: string, tag: string): boolean {
  const text = tag.replace(/^v(?=\d)/, '')
  if (!/^\d+(\.\d+){0,2}($|[-+_])/.test(text)) return true
  // A tag cannot have the plus sign of a version.
  const found = version.replaceAll('+', '_')
  if (/^\d+(\.\d+)?$/.test(text)) return found.startsWith(`${text}.`)
  return found === text
}
