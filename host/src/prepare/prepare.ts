/**
 * From a component's `.wasm` to a compiled module the host can instantiate, cached by content.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Program } from '../instance/instance.ts'
import { BinaryError } from './binary.ts'
import { mainCoreModule } from './core-module.ts'
import { PAGE_COUNT_EXPORT } from './names.ts'
import { rewriteModule } from './rewrite.ts'

/** Goes up whenever the rewriting changes, so that old cache entries are not used. */
const PREPARATION_VERSION = 1

/** Prepared modules the cache keeps, the youngest. */
const CACHE_ENTRIES = 32

export class PrepareError extends Error {
  override readonly name = 'PrepareError'
}

export interface PrepareOptions {
  /** The component's id, for error messages. */
  component: string
  /** Absolute path of the `.wasm`. */
  source: string
  cacheDir: string
  /** Bytes an instance may take. */
  memoryLimit: number
  /** Called when the cache has nothing and the work begins. */
  onMiss?: () => void
}

/**
 * @throws {PrepareError} naming the component and file.
 */
export async function prepare({
  component,
  source,
  cacheDir,
  memoryLimit,
  onMiss = () => {},
}: PrepareOptions): Promise<Program> {
  const failed = (reason: string, cause?: unknown) =>
    new PrepareError(`component "${component}": ${source} ${reason}`, { cause })
  const wasm = await readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? failed('does not exist; build the component first')
      : failed(`cannot be read (${error.code})`, error)
  })
  const digest = createHash('sha256').update(wasm).digest('hex').slice(0, 40)
  const cached = join(cacheDir, `host-${PREPARATION_VERSION}-${digest}-${memoryLimit}.wasm`)
  try {
    const bytes = await readFile(cached).catch(() => undefined)
    if (bytes) return await compile(bytes)
  } catch {
    // A damaged cache entry is made again.
  }
  onMiss()
  try {
    const { bytes } = rewriteModule(mainCoreModule(wasm), memoryLimit)
    const program = await compile(bytes)
    await store(cached, cacheDir, bytes)
    return program
  } catch (error) {
    if (error instanceof BinaryError) throw failed(error.message, error)
    if (error instanceof WebAssembly.CompileError) throw failed('is not valid WebAssembly', error)
    throw error
  }
}

async function compile(bytes: Buffer): Promise<Program> {
  const module = await WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>)
  const resettable = WebAssembly.Module.exports(module).some(
    ({ name }) => name === PAGE_COUNT_EXPORT,
  )
  return { module, resettable, image: undefined }
}

// A cache that cannot be written costs time at the next start, and nothing else.
async function store(path: string, folder: string, bytes: Buffer): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
    await prune(folder)
  } catch {
    return
  }
}

// Each build of a component leaves 14 MB here.
async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^host-\d+-.*\.wasm$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, age: (await stat(join(folder, name))).mtimeMs })),
  )
  const old = files.sort((a, b) => b.age - a.age).slice(CACHE_ENTRIES)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
