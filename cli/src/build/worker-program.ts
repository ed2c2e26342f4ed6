/**
 * The program of the host's workers as two files of JavaScript, where the host is TypeScript: a hundred modules and the removal of
 * types take a worker more than half of its start. An installed package has them already (`scripts/packages/sources.ts`).
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { folderOfCommand, keptBundle, type KeptBundle } from './kept-bundle.ts'
import { own } from './own-module-path.ts'

/** Milliseconds after which the program of another version is removed. A host that runs may need its own for so long. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Texts by name. */
type Files = Readonly<Record<string, string>>

/** @returns the path of the file where a worker begins; `undefined` if the modules of the host are to be used. */
export async function workerProgram(folder = folderOfCommand()): Promise<string | undefined> {
  const entry = own('ftl-host/worker')
  if (!entry.endsWith('.ts')) return undefined
  const deciding = [import.meta.filename, own('esbuild/package.json')]
  const builder = [entry, ...deciding.map((path) => readFileSync(path, 'utf8'))].join('\n')
  const { code } = await keptBundle(join(folder, 'worker.json'), builder, () => bundle(entry))
  // Another content has another name: a host that runs may start more workers of its own version.
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const made = join(folder, 'worker', hash)
  try {
    if (!existsSync(made)) await write(made, JSON.parse(code) as Files)
    return join(made, 'entry.mjs')
  } catch {
    // The folder cannot be written.
    return undefined
  }
}

async function write(made: string, files: Files): Promise<void> {
  const folder = dirname(made)
  await mkdir(folder, { recursive: true })
  const draft = await mkdtemp(`${made}-`)
  await removeOld(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(draft, name), text)
  try {
    await rename(draft, made)
  } catch (error) {
    await rm(draft, { recursive: true })
    // Another command has made it meanwhile.
    if (!existsSync(made)) throw error
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // Another command may have renamed or removed it.
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > KEPT_MS)
      await rm(path, { recursive: true, force: true })
  }
}

async function bundle(entry: string): Promise<KeptBundle> {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    outdir: 'out',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported after the code cache was switched on stays in a file of its own.
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'es2024',
    packages: 'external',
    charset: 'utf8',
    logLevel: 'silent',
  })
  const files = outputFiles.map(({ path, text }) => [basename(path), text] as const)
  return {
    code: JSON.stringify(Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))),
    inputs: Object.keys(metafile.inputs).map((path) => resolve(path)),
  }
}
