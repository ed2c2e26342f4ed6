/**
 * `ftl build`: TypeScript components to WebAssembly, all in one process, cached by content.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { BuildCache } from './cache.ts'
import { componentize } from './componentize.ts'
import { assembleWit } from './wit.ts'

export { BuildError } from './build-error.ts'

export interface BuildTarget {
  /** The component's name in `spin.toml`. */
  id: string
  /** Absolute path of the entry module. */
  entry: string
  /** Absolute path of the `.wasm`. */
  output: string
}

export interface BuildEvent {
  id: string
  state: 'building' | 'built' | 'cached'
  milliseconds?: number
  bundleBytes?: number
  wasmBytes?: number
  /** How many are left to build, this one included. */
  left?: number
}

export interface BuildOptions {
  /** Folder for everything that can be made again. */
  cacheFolder: string
  onEvent?: (event: BuildEvent) => void
}

export interface BuildResult {
  /** Source files of each component, for watching. */
  inputs: Map<string, string[]>
  built: number
  /** Components whose `.wasm` is another than before, built or taken from the cache. */
  changed: string[]
}

/**
 * Builds what has changed.
 *
 * @throws {BuildError} for the first component that cannot be built; those before it stay built.
 */
export async function buildComponents(
  targets: readonly BuildTarget[],
  { cacheFolder, onEvent = () => {} }: BuildOptions,
): Promise<BuildResult> {
  const wit = await assembleWit(cacheFolder)
  const cache = new BuildCache(join(cacheFolder, 'components'))
  const version = await builderVersion()
  const bundles = await Promise.all(
    targets.map(async (target) => {
      const made = await bundle(target)
      const key = createHash('sha256')
        .update(`${version}\n${wit.digest}\n${made.code}`)
        .digest('hex')
        .slice(0, 32)
      return { target, made, key }
    }),
  )
  const stale: typeof bundles = []
  const changed: string[] = []
  for (const item of bundles) {
    const { id, output } = item.target
    const found = await cache.restore(item.key, output)
    if (found !== 'current') changed.push(id)
    if (found) onEvent({ id, state: 'cached' })
    else stale.push(item)
  }
  for (const [index, { target, made, key }] of stale.entries()) {
    const { id, output } = target
    const bundleBytes = Buffer.byteLength(made.code)
    onEvent({ id, state: 'building', bundleBytes, left: stale.length - index })
    const started = performance.now()
    const component = await componentize(id, made, wit, cacheFolder)
    await cache.store(key, component, output)
    onEvent({
      id,
      state: 'built',
      milliseconds: performance.now() - started,
      bundleBytes,
      wasmBytes: component.length,
    })
  }
  return {
    inputs: new Map(bundles.map(({ target, made }) => [target.id, made.inputs])),
    built: stale.length,
    changed,
  }
}

async function builderVersion(): Promise<string> {
  const url = import.meta.resolve('@bytecodealliance/componentize-js')
  const text = await readFile(join(fileURLToPath(url), '../../package.json'), 'utf8')
  return `componentize-js ${(JSON.parse(text) as { version: string }).version}`
}
