/**
 * Assembles the WIT of the one world every component targets from files of installed packages, without loading their code.
 * Only in the repository: an installed `ftl` brings the result along (`shipped-wit.ts`).
 *
 * Components import WASI 0.2.10, which more hosts know; jco carries the same declarations as 0.2.12, so their version is
 * set back. Seen to load on a real Spin.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WitWorld } from './world.ts'

export { WORLD, type WitWorld } from './world.ts'

const WASI_PACKAGES = ['cli', 'clocks', 'filesystem', 'http', 'io', 'random', 'sockets']
const SPIN_INTERFACES = ['key-value', 'variables']
const INSTALLED_VERSION = '0.2.12'
const TARGET_VERSION = '0.2.10'

export async function assembleWit(cacheFolder: string): Promise<WitWorld> {
  const files = new Map<string, string>()
  files.set('world.wit', await readFile(new URL('../../../wit/world.wit', import.meta.url), 'utf8'))
  const builtin = join(packageFolder('@bytecodealliance/jco'), 'lib/wit/builtin', INSTALLED_VERSION)
  for (const name of WASI_PACKAGES) {
    const text = await readFile(join(builtin, `wasi-${name}`, 'package.wit'), 'utf8')
    files.set(`deps/${name}/package.wit`, text.replaceAll(INSTALLED_VERSION, TARGET_VERSION))
  }
  const spin = join(packageFolder('@fermyon/spin-sdk'), '..', 'bin/wit')
  const interfaces = await Promise.all(
    SPIN_INTERFACES.map((name) => readFile(join(spin, `${name}.wit`), 'utf8')),
  )
  files.set('deps/spin/package.wit', ['package fermyon:spin@2.0.0;', ...interfaces].join('\n'))

  const digest = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex')
    .slice(0, 16)
  const folder = join(cacheFolder, `wit-${digest}`)
  if (!existsSync(folder)) await writeTree(folder, files)
  const adapter = await adapterFor(TARGET_VERSION, INSTALLED_VERSION, cacheFolder)
  return { folder, adapter, digest }
}

// Written beside and renamed, so that an interrupted build never leaves half a world behind.
async function writeTree(folder: string, files: Map<string, string>): Promise<void> {
  const draft = `${folder}.${process.pid}`
  for (const [path, text] of files) {
    await mkdir(dirname(join(draft, path)), { recursive: true })
    await writeFile(join(draft, path), text)
  }
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
}

/**
 * Path of the adapter between the engine's preview1 calls and WASI `version`.
 *
 * jco ships it for the installed version. Linked unchanged, a component would import two patch versions of WASI, and
 * older hosts do not know the newer one. The interfaces are the same, so the version in the file is replaced; both have
 * the same length, so no offset moves.
 */
async function adapterFor(version: string, installed: string, folder: string): Promise<string> {
  if (version.length !== installed.length) throw new Error('the versions must have the same length')
  const path = join(folder, `preview1-reactor-${version}.wasm`)
  if (existsSync(path)) return path
  const jco = packageFolder('@bytecodealliance/jco')
  const bytes = await readFile(join(jco, 'lib/wasi_snapshot_preview1.reactor.wasm'))
  const text = bytes.toString('latin1').replaceAll(`@${installed}`, `@${version}`)
  const draft = `${path}.${process.pid}`
  await writeFile(draft, text, 'latin1')
  await rename(draft, path)
  return path
}

/** Folder of an installed package's entry file's parent; `lib/` and `dist/` lie one below the package. */
function packageFolder(name: string): string {
  const entry = dirname(fileURLToPath(import.meta.resolve(name)))
  return name === '@bytecodealliance/jco' ? dirname(entry) : entry
}
