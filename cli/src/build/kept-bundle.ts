/**
 * A bundle that is kept beside the command, so that a start does not make it again.
 *
 * It is recognized by content: the stamps of `unchanged-bundle.ts` have the times of files, which an image of a container changes.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { decidingPaths, GRANULARITY_MS, stateOfFiles } from './unchanged-bundle.ts'

export interface KeptBundle {
  code: string
  /** Absolute paths of all bundled files. */
  inputs: string[]
}

/**
 * `node_modules/.cache/ftl` of an installed package, `.ftl/cache` of the repository: where Node keeps the compiled code of this
 * command. A program that can write there can change this command, too. So what is kept there may be run.
 */
export function folderOfCommand(): string {
  const above = dirname(dirname(dirname(import.meta.dirname)))
  return basename(above) === 'node_modules'
    ? join(above, '.cache', 'ftl')
    : join(above, '.ftl', 'cache')
}

/**
 * @param file path of the kept bundle.
 * @param builder changes with everything else that decides what is in the bundle.
 */
export async function keptBundle(
  file: string,
  builder: string,
  make: () => Promise<KeptBundle>,
): Promise<KeptBundle> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as KeptBundle & { state: string }
    if (stateOf(kept, builder) === kept.state) return kept
  } catch {
    // It was not kept yet, or a file of it is not there any more.
  }
  const started = Date.now()
  const made = await make()
  await keep(file, { ...made, state: stateOf(made, builder) }, started)
  return made
}

async function keep(
  file: string,
  bundle: KeptBundle & { state: string | undefined },
  started: number,
): Promise<void> {
  // A file that changed while it was read may have another content than the bundle.
  const { newest } = stateOfFiles(bundle.inputs)
  if (bundle.state === undefined || newest > started - GRANULARITY_MS) return
  const draft = `${file}.${process.pid}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(draft, JSON.stringify(bundle))
    await rename(draft, file)
  } catch {
    // The folder cannot be written: the next start bundles again.
  }
}

/** @returns `undefined` if an import can lead where it is not looked. */
function stateOf({ inputs }: KeptBundle, builder: string): string | undefined {
  const { paths, mapsPaths } = decidingPaths(inputs)
  if (mapsPaths) return undefined
  const hash = createHash('sha256').update(builder)
  for (const path of paths) hash.update(`\n${path}\n`).update(contentOf(path))
  return hash.digest('hex')
}

/** Of a file, or the names in a folder. */
function contentOf(path: string): Buffer | string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return ''
  if (!found.isDirectory()) return readFileSync(path)
  // No import leads to a name with a dot, and caches are such names.
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .join('/')
}
