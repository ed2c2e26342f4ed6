/**
 * Finds out without bundling that a component's bundle would be the same as the last one.
 *
 * A bundle depends on the files in it, and on the files and folders that decide where an import leads. Changes are found
 * by the change time, which no program can set: it also changes when a file is replaced by an older one.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The coarsest file time of a common file system, in milliseconds. */
export const GRANULARITY_MS = 2000

/** What a build needs of a bundle that is the same as before. */
export interface KnownBundle {
  /** Of the component in the cache. */
  key: string
  inputs: string[]
  pageInputs: string[]
  ours: string[]
}

type Stamp = KnownBundle & { state: string }

/**
 * @param file path of the stamp.
 * @param builder changes with everything else that decides what a bundle contains.
 * @returns `undefined` if the bundle may be another one.
 */
export async function recallBundle(
  file: string,
  builder: string,
): Promise<KnownBundle | undefined> {
  try {
    const stamp = JSON.parse(await readFile(file, 'utf8')) as Stamp
    return stateOf(stamp, builder).digest === stamp.state ? stamp : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes the stamp, unless changes could be missed.
 *
 * @param started when bundling began, in milliseconds since 1970.
 */
export async function rememberBundle(
  file: string,
  builder: string,
  known: KnownBundle,
  started: number,
): Promise<void> {
  const { digest, newest, mapsPaths } = stateOf(known, builder)
  // A file that changed while it was read, or within the granularity before, may have another content than the bundle.
  if (mapsPaths || newest > started - GRANULARITY_MS) return
  const draft = `${file}.${process.pid}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(draft, JSON.stringify({ ...known, state: digest } satisfies Stamp))
    await rename(draft, file)
  } catch {
    // Without a stamp, the next build bundles again.
  }
}

/** Identifies the files by their change times. */
export function stateOfFiles(paths: Iterable<string>): { text: string; newest: number } {
  let text = ''
  let newest = 0
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    text += found ? `${path} ${found.ino} ${found.ctimeMs} ${found.size}\n` : `${path} -\n`
    newest = Math.max(newest, found?.ctimeMs ?? 0)
  }
  return { text, newest }
}

function stateOf({ inputs, pageInputs }: KnownBundle, builder: string) {
  const { paths, mapsPaths } = decidingPaths([...inputs, ...pageInputs])
  const { text, newest } = stateOfFiles(paths)
  const digest = createHash('sha256').update(`${builder}\n${text}`).digest('hex')
  return { digest, newest, mapsPaths }
}

/** Settings of the bundler. For a module it uses the nearest of these files, in the module's folder or above it. */
const SETTINGS = ['package.json', 'tsconfig.json', 'jsconfig.json', '.pnp.cjs', '.pnp.data.json']

/** With these, an import can lead to a file in a folder that is not looked at here. */
const PATH_MAPPING = /"(extends|paths|baseUrl|rootDirs)"/

/** The files themselves, and what else decides where an import in them leads. */
export function decidingPaths(files: readonly string[]): {
  paths: Set<string>
  mapsPaths: boolean
} {
  const paths = new Set<string>()
  const visited = new Set<string>()
  let mapsPaths = false
  for (const file of files) {
    let folder = dirname(file)
    // A new file there can come before this one: a.ts before a.js, and a.ts before a/index.ts.
    paths.add(file).add(folder).add(dirname(folder))
    while (!visited.has(folder)) {
      visited.add(folder)
      for (const name of SETTINGS) paths.add(join(folder, name))
      const modules = join(folder, 'node_modules')
      for (const path of [modules, ...scopesIn(modules)]) paths.add(path)
      mapsPaths ||= hasPathMapping(folder)
      folder = dirname(folder)
    }
  }
  return { paths, mapsPaths }
}

/** Folders such as `node_modules/@scope`, where packages are installed without a change of `node_modules`. */
function scopesIn(modules: string): string[] {
  if (!statSync(modules, { throwIfNoEntry: false })) return []
  return readdirSync(modules)
    .filter((name) => name.startsWith('@'))
    .map((name) => join(modules, name))
}

function hasPathMapping(folder: string): boolean {
  // The bundler ignores the settings of packages.
  if (/[\\/]node_modules([\\/]|$)/.test(folder)) return false
  return ['tsconfig.json', 'jsconfig.json'].some((name) => {
    const path = join(folder, name)
    const exists = statSync(path, { throwIfNoEntry: false }) !== undefined
    return exists && PATH_MAPPING.test(readFileSync(path, 'utf8'))
  })
}
