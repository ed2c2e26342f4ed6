import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { assembleWit, type WitWorld, WORLD } from '../../cli/src/build/wit.ts'
import { importJudge } from '../judges/judge.ts'

const run = promisify(execFile)

/** What is used of the package `componentize-qjs`. */
interface Tool {
  componentize: (options: {
    witPath: string
    jsSource: string
    world: string
    sync: boolean
  }) => Promise<{ component: Buffer }>
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const CACHE = path('../../.ftl/cache')
const FOREIGN = path('../fixtures/foreign/')

/** Components this repository's builder did not make, as bytes; kept, because some take half a minute. */
async function cached(key: string, build: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const file = join(CACHE, 'foreign', `${createHash('sha256').update(key).digest('hex')}.wasm`)
  const found = await readFile(file).catch(() => undefined)
  if (found) return found
  const component = await build()
  await mkdir(join(CACHE, 'foreign'), { recursive: true })
  await writeFile(file, component)
  return component
}

/** The world's declarations with something in them replaced. */
async function witWith(world: WitWorld, from: string, to: string): Promise<string> {
  const folder = join(CACHE, 'foreign', `wit-${process.pid}`)
  await rm(folder, { recursive: true, force: true })
  await cp(world.folder, folder, { recursive: true })
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to))
  }
  return folder
}

/**
 * On QuickJS. The tool runs the guest once while it builds, with host functions of its own that do not fit
 * `wasi:http`; so the guest is built against interfaces of another name, and gets the right one afterwards.
 */
export async function quickJsComponent(): Promise<Uint8Array> {
  const world = await assembleWit(CACHE)
  const source = await readFile(join(FOREIGN, 'quickjs.js'), 'utf8')
  return cached(`qjs ${world.digest} ${source}`, async () => {
    const { componentize } = await importJudge<Tool>('componentize-qjs')
    const witPath = await witWith(world, 'wasi:', 'wasj:')
    const jsSource = source.replaceAll('wasi:', 'wasj:')
    const { component } = await componentize({ witPath, jsSource, world: WORLD, sync: true })
    return Buffer.from(component.toString('latin1').replaceAll('wasj:', 'wasi:'), 'latin1')
  })
}

/** With Spin's SDK for Rust, prebuilt: `fixtures/foreign/README.md` says how. */
export const rustComponent = (): Promise<Uint8Array> => readFile(join(FOREIGN, 'rust.wasm'))

/**
 * The same, of its source. Only where `FTL_TEST_RUST` is set: it needs cargo, the target wasm32-wasip2 and the crates,
 * and takes minutes the first time.
 */
export async function rustComponentOfSource(): Promise<Uint8Array> {
  const target = join(CACHE, 'rust')
  const args = ['build', '--locked', '--release', '--target', 'wasm32-wasip2']
  await run('cargo', [...args, '--target-dir', target], { cwd: join(FOREIGN, 'rust') })
  return readFile(join(target, 'wasm32-wasip2/release/foreign.wasm'))
}
