/** What the registry has under the names of our packages. */
import { spawnSync } from 'node:child_process'

export interface Registered {
  versions: readonly string[]
  /** Address of the source, as the package gives it. @default none */
  repository: string | undefined
}

/**
 * @returns `undefined` for a name that is free.
 * @throws {Error} when the registry cannot be asked.
 */
export function lookUp(name: string, env = process.env): Registered | undefined {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['view', name, 'versions', 'repository.url', '--json'],
    { env, encoding: 'utf8' },
  )
  if (status !== 0) {
    if (stderr.includes('E404') || stdout.includes('E404')) return undefined
    throw new Error(`npm view ${name} failed:\n${stderr}`)
  }
  const found = JSON.parse(stdout === '' ? '{}' : stdout) as {
    versions?: string | string[]
    'repository.url'?: string
  }
  return { versions: [found.versions ?? []].flat(), repository: found['repository.url'] }
}

/**
 * The names that are another project's: nothing may be published before they are changed.
 *
 * @param own address of our repository, such as `https://git.example/us/ours`.
 */
export function takenNames(
  registered: ReadonlyMap<string, Registered | undefined>,
  own: string | undefined,
): string[] {
  return [...registered].flatMap(([name, found]) => {
    if (found === undefined) return []
    const isOurs = own !== undefined && plain(found.repository) === plain(own)
    return isOurs ? [] : [`${name} (${found.repository ?? 'without a repository'})`]
  })
}

/** An address without what npm adds to it. */
const plain = (address: string | undefined): string | undefined =>
  address
    ?.replace(/^git\+/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
