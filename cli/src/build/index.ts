/**
 * `ftl build`: TypeScript components to WebAssembly, all in one process, cached by content.
 *
 * @module
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { assembleWit } from '#world'
import { BuildError, BuildErrors } from './build-error.ts'
import { type Bundle, bundle } from './bundle.ts'
import { bundleAll, type Bundled, type BuildTarget } from './bundles.ts'
import { BuildCache } from './cache.ts'
import { explainFailure, isAuthors } from './explain-failure.ts'
import { namedFor } from './hints.ts'
import { findMistakes } from './find-mistakes.ts'
import { marked } from './native-mark.ts'
import { type BuilderInput, quickjs } from './quickjs.ts'
import { packageOf, remedyWarnings } from './remedies.ts'
import { keepMap } from './source-map.ts'
import { isEndlessWait, topLevelAwaits } from './top-level-await.ts'

export { BuildError, BuildErrors } from './build-error.ts'
export type { BuildTarget } from './bundles.ts'
export type { Withheld } from './withheld.ts'
export type { MemberTarget } from './members-entry.ts'

export interface BuildEvent {
  id: string
  state: 'building' | 'built' | 'cached' | 'warning' | 'failed'
  /** A mistake that the build does not fail of, with its place. */
  warning?: string
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
  /** Why the others could not be built, in the order of the targets. */
  failed: BuildError[]
}

/**
 * Builds what has changed.
 *
 * @throws {BuildError} {@link BuildErrors} when all that can be built is built, and one or several could not be.
 */
export async function buildComponents(
  targets: readonly BuildTarget[],
  options: BuildOptions,
): Promise<Omit<BuildResult, 'failed'>> {
  const { failed, ...result } = await buildEach(targets, options)
  const [first] = failed
  if (first) throw failed.length === 1 ? first : new BuildErrors(failed)
  return result
}

/** Like {@link buildComponents}, and returns what could not be built. */
export async function buildEach(
  targets: readonly BuildTarget[],
  { cacheFolder, onEvent = () => {} }: BuildOptions,
): Promise<BuildResult> {
  const wit = await assembleWit(cacheFolder)
  const cache = new BuildCache(join(cacheFolder, 'components'))
  const { bundles, failed } = await bundleAll(targets, wit.digest, cacheFolder)
  for (const { target, made } of bundles) if (made) await keepMap(made.map, target.output)
  await warn(bundles, onEvent)
  const stale: typeof bundles = []
  const changed: string[] = []
  for (const item of bundles) {
    const { id, output } = item.target
    const found = await cache.restore(item.key, output)
    if (found !== 'current') changed.push(id)
    if (found) onEvent({ id, state: 'cached' })
    else stale.push(item)
  }
  for (const [index, item] of stale.entries()) {
    const { target, key } = item
    const { id, output } = target
    const made = item.made ?? (await bundle(target))
    const bundleBytes = Buffer.byteLength(made.code)
    onEvent({ id, state: 'building', bundleBytes, left: stale.length - index })
    const started = performance.now()
    let component: Uint8Array
    try {
      const onWarning = (warning: string) => onEvent({ id, state: 'warning', warning })
      component = await marked(
        target,
        await componentize(target, made, { wit, cacheFolder, onWarning }),
      )
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      failed.push(error)
      onEvent({ id, state: 'failed' })
      continue
    }
    await cache.store(key, component, output)
    onEvent({
      id,
      state: 'built',
      milliseconds: performance.now() - started,
      bundleBytes,
      wasmBytes: component.length,
    })
  }
  const order = new Map(targets.map(({ id }, index) => [id, index]))
  const place = ({ component }: BuildError) => order.get(component) ?? 0
  const bad = new Set(failed.map(({ component }) => component))
  return {
    inputs: new Map([
      ...failed.map(({ component, inputs }): [string, string[]] => [component, [...inputs]]),
      ...bundles.map(({ target, known }): [string, string[]] => [
        target.id,
        [...known.inputs, ...known.pageInputs],
      ]),
    ]),
    built: stale.filter(({ target }) => !bad.has(target.id)).length,
    changed: changed.filter((id) => !bad.has(id)),
    failed: failed.sort((a, b) => place(a) - place(b)),
  }
}

/** @throws {BuildError} when the module throws while it is initialised, with the TypeScript line that threw. */
async function componentize(
  { id, withheld = [] }: BuildTarget,
  made: Bundle,
  {
    wit,
    cacheFolder,
    onWarning,
  }: Pick<BuilderInput, 'wit' | 'onWarning'> & { cacheFolder: string },
): Promise<Uint8Array> {
  const folder = join(cacheFolder, `${id}.${process.pid}`)
  await mkdir(folder, { recursive: true })
  const { problem = '' } = made
  try {
    const component = await quickjs.build({ id, made, wit, withheld, folder, onWarning })
    if (problem === '') return component
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const own = made.inputs.filter((file) => isAuthors(file, made.ours))
    const waits = isEndlessWait(text) ? await topLevelAwaits(own) : []
    throw new BuildError(id, [explainFailure(text, id, made, waits)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  throw new BuildError(id, [problem])
}

/** Each mistake once, though several components may share the module. */
async function warn(
  bundles: readonly Bundled[],
  onEvent: (event: BuildEvent) => void,
): Promise<void> {
  const seen = new Set<string>()
  for (const { target, known } of bundles) {
    const theirs = known.inputs.filter((file) => isAuthors(file, known.ours) && !seen.has(file))
    for (const file of theirs) seen.add(file)
    const mistakes = await findMistakes(theirs, target.intl !== false)
    const packages = new Set(known.inputs.flatMap((file) => packageOf(file) ?? []))
    for (const warning of [...mistakes, ...remedyWarnings(packages)]) {
      const { id } = target
      onEvent({ id, state: 'warning', warning: namedFor(id, warning) })
    }
  }
}

/**
 * The components that {@link buildComponents} would make or replace; writes nothing that was built.
 *
 * @throws {BuildError} for the first that cannot be bundled.
 */
export async function outdatedTargets(
  targets: readonly BuildTarget[],
  { cacheFolder }: BuildOptions,
): Promise<string[]> {
  const cache = new BuildCache(join(cacheFolder, 'components'))
  const { digest } = await assembleWit(cacheFolder)
  const { bundles, failed } = await bundleAll(targets, digest, cacheFolder)
  if (failed[0]) throw failed[0]
  const current = await Promise.all(
    bundles.map(({ key, target }) => cache.isCurrent(key, target.output)),
  )
  return targets.flatMap(({ id }, index) => (current[index] ? [] : [id]))
}
