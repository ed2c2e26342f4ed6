/** The bundles of several components; one that would be the same as in the last build is not made again. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { version as esbuildVersion } from 'esbuild'
import { BuildError } from './build-error.ts'
import { type Bundle, bundle, type Feature } from './bundle.ts'
import type { MemberTarget } from './members-entry.ts'
import { nativeFor } from './native-mark.ts'
import { quickjs } from './quickjs.ts'
import type { ServerInfo } from './server-info.ts'
import { mapPath } from './source-map.ts'
import { type KnownBundle, recallBundle, rememberBundle, stateOfFiles } from './unchanged-bundle.ts'
import type { Withheld } from './withheld.ts'

export interface BuildTarget {
  /** The component's name in `spin.toml`. */
  id: string
  /** Absolute path of the entry module. */
  entry: string
  /** Absolute path of the `.wasm`. */
  output: string
  /** Milliseconds a request may compute without waiting. @default 4000 */
  computeLimitMs?: number
  /** Whether it gets all parts of `Intl`, or none. @default those whose names are in its code */
  intl?: boolean
  /** Whether modules of Node that need no machine, `Buffer` and `process` can be used. @default false */
  nodeCompat?: boolean
  /** Interfaces that the component must not import. @default none */
  withheld?: readonly Withheld[]
  /** Features that a gateway is built without. @default none */
  without?: readonly Feature[]
  /** How a gateway introduces itself to clients. @default by the name of this product */
  server?: ServerInfo
  /** The components that are in it. `entry` is that of the first. @default it is one component */
  members?: readonly MemberTarget[]
  /** Absolute paths of the folders of its skills. @default none */
  skills?: readonly string[]
  /** Why it cannot be built as its manifest says: its build fails with these words. @default it can */
  refusal?: string
}

export interface Bundled {
  target: BuildTarget
  known: KnownBundle
  key: string
  /** `undefined` if it is the same as in the last build. */
  made: Bundle | undefined
}

/**
 * @param world changes with the world components are built for.
 * @returns what was bundled, and why the others could not be.
 */
export async function bundleAll(
  targets: readonly BuildTarget[],
  world: string,
  cacheFolder: string,
): Promise<{ bundles: Bundled[]; failed: BuildError[] }> {
  const bundler = bundlerState()
  const results = await Promise.all(
    targets.map(async (target) =>
      bundleOne(target, { world, bundler, cacheFolder }).catch(toFailure),
    ),
  )
  return {
    bundles: results.flatMap((result) => (result instanceof BuildError ? [] : [result])),
    failed: results.flatMap((result) => (result instanceof BuildError ? [result] : [])),
  }
}

function toFailure(error: unknown): BuildError {
  if (error instanceof BuildError) return error
  throw error
}

/** @throws {BuildError} */
async function bundleOne(
  target: BuildTarget,
  { world, bundler, cacheFolder }: { world: string; bundler: string; cacheFolder: string },
): Promise<Bundled> {
  if (target.refusal !== undefined) throw new BuildError(target.id, [target.refusal])
  const version = await quickjs.version()
  const builder = `${version}\n${world}\n${bundler}`
  const name = createHash('sha256').update(JSON.stringify(target)).digest('hex').slice(0, 32)
  const stamp = join(cacheFolder, 'bundles', `${name}.json`)
  const same = existsSync(mapPath(target.output)) && (await recallBundle(stamp, builder))
  if (same) return { target, known: same, key: same.key, made: undefined }
  const started = Date.now()
  const [made, native] = await Promise.all([bundle(target), nativeFor(target)])
  const key = createHash('sha256')
    .update(
      `${version}\n${world}\n${target.withheld?.join() ?? ''}\n${native?.code ?? ''}\n${made.code}`,
    )
    .digest('hex')
    .slice(0, 32)
  const { pageInputs, ours } = made
  const inputs = [...new Set([...made.inputs, ...(native?.inputs ?? [])])]
  const known = { key, inputs, pageInputs, ours }
  await rememberBundle(stamp, builder, known, started)
  return { target, known, key, made }
}

/** Changes with this builder and its bundler. */
function bundlerState(): string {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const own = names.map((name) => join(import.meta.dirname, name))
  return `${esbuildVersion}\n${process.env['NODE_PATH'] ?? ''}\n${stateOfFiles(own).text}`
}
