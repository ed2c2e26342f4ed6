/**
 * The program of the host's workers in one file, where the host is TypeScript: loading a hundred modules takes a worker half of its
 * start. In an installed package it is one file already (`scripts/packages/sources.ts`).
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { folderOfCommand, keptBundle, type KeptBundle } from './kept-bundle.ts'
import { own } from './own-module-path.ts'

/** Milliseconds after which the program of another version is removed. A host that runs may need its own for so long. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** @returns the path of the file; `undefined` if the modules of the host are to be used. */
export async function workerProgram(folder = folderOfCommand()): Promise<string | undefined> {
  const entry = own('ftl-host/worker')
  if (!entry.endsWith('.ts')) return undefined
  const { code } = await keptBundle(join(folder, 'worker.json'), entry, () => bundle(entry))
  // Another content has another name: a host that runs may start more workers of its own version.
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const path = join(folder, 'worker', `${hash}.mjs`)
  try {
    if (!existsSync(path)) await write(path, code)
    return path
  } catch {
    // The folder cannot be written.
    return undefined
  }
}

async function write(path: string, code: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  await removeOld(folder)
  await writeFile(draft, code)
  await rename(draft, path)
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > KEPT_MS) await rm(join(folder, name), { force: true })
  }
}

async function bundle(entry: string): Promise<KeptBundle> {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'es2024',
    packages: 'external',
    charset: 'utf8',
    logLevel: 'silent',
  })
  return {
    code: outputFiles?.[0]?.text ?? '',
    inputs: Object.keys(metafile.inputs).map((path) => resolve(path)),
  }
}
