/** Bundles a component's TypeScript into the single module that componentize-js accepts. */
import { build, type BuildFailure, type Message, type Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BuildError } from './build-error.ts'
import { MODULE_SCOPE, moduleScope } from './module-scope.ts'
import { pages } from './page.ts'
import { bundlerHint } from './hints.ts'
import { resolveModule } from './resolve-module.ts'
import { excerpt } from './source-excerpt.ts'

export interface Bundle {
  code: string
  /** Source map of `code`, to name the TypeScript line when the module throws during initialization. */
  map: string
  /** Absolute paths of all bundled files. */
  inputs: string[]
  /** Files of its web pages. They run in a browser, so the checks for components do not apply to them. */
  pageInputs: string[]
  /** Absolute path of the entry module. */
  entry: string
  /** Folders of our own modules, to tell their files from the author's. */
  ours: string[]
  /** Why the component is of no use though it can be evaluated. */
  problem?: string
}

export interface BundleOptions {
  /** The component's name in `spin.toml`. */
  id: string
  /** Absolute path of its entry module. */
  entry: string
  /** For the engine, which reads it from the last line: there it moves no position. */
  computeLimitMs?: number
}

/**
 * @throws {BuildError} naming file, line and column of each mistake.
 */
export async function bundle({ id, entry, computeLimitMs }: BundleOptions): Promise<Bundle> {
  const served = await hasExports(id, entry)
  const [serve = '', spin = ''] = await modulesOfOurs(entry)
  const contract = await resolveModule('ftl-contract', dirname(serve))
  const ours = [dirname(dirname(serve)), dirname(spin)]
  if ('path' in contract) ours.push(dirname(contract.path))
  const about = { entry, ours }
  const bundled = await run(id, entry, served)
  // The name is a global one, so the bundler keeps it.
  const isSilent = !served && !bundled.code.includes('addEventListener')
  const problem =
    `${relative(process.cwd(), entry)}: the entry must export "tool" (of createTool), "tools", "prompts", "resources" ` +
    'or a default "fetch". It exports nothing.'
  if (computeLimitMs !== undefined) {
    bundled.code += `\n//# ftl.compute_limit_ms=${computeLimitMs}\n`
  }
  return { ...bundled, ...about, ...(isSilent && { problem }) }
}

type Bundled = Pick<Bundle, 'code' | 'map' | 'inputs' | 'pageInputs'>

async function run(id: string, entry: string, served: boolean): Promise<Bundled> {
  const cwd = process.cwd()
  const pageFiles = new Set<string>()
  const result = await build({
    ...(served
      ? {
          stdin: {
            contents: await glue(entry, id),
            resolveDir: dirname(entry),
            sourcefile: `${id}.entry.js`,
          },
        }
      : { entryPoints: [entry] }),
    bundle: true,
    write: false,
    outfile: `${id}.js`,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    keepNames: false,
    sourcemap: 'external',
    // The sources are read from their files: with them in it, the map takes longer than the bundle.
    sourcesContent: false,
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
    external: ['fermyon:*', 'wasi:*'],
    define: {
      'process.env.NODE_ENV': '"production"',
      // Some libraries read `self.location` when they load; at build time it does not exist, and reading it throws.
      'self.location': 'undefined',
    },
    conditions: ['module'],
    plugins: [moduleScope, zodNamespaceImport, pages(pageFiles)],
  }).catch(async (error: unknown) => {
    throw toBuildError(id, error, await filesOf(entry))
  })
  const [map, code] = ['.map', '.js'].map(
    (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? '',
  )
  return {
    code: code ?? '',
    map: map ?? '',
    inputs: Object.keys(result.metafile.inputs)
      .filter((path) => !path.endsWith('.entry.js') && !path.startsWith('ftl:'))
      .map((path) => resolve(cwd, path)),
    pageInputs: [...pageFiles],
  }
}

// A module without exports registers its own fetch event listener and is bundled as it is.
async function hasExports(id: string, entry: string): Promise<boolean> {
  const result = await build({
    entryPoints: [entry],
    bundle: false,
    write: false,
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw toBuildError(id, error)
  })
  return Object.values(result.metafile.outputs).some((output) => output.exports.length > 0)
}

async function glue(entry: string, id: string): Promise<string> {
  const paths = (await modulesOfOurs(entry)).map((path) => JSON.stringify(path))
  const [serve = '', spin = '', spinServe = '', spinWarmUp = ''] = paths
  return `import { endModuleScope } from '${MODULE_SCOPE}'
import * as entry from ${JSON.stringify(entry)}
import { toComponent, warmUp } from ${serve}
import { spinPlatform } from ${spin}
import { serveRequests } from ${spinServe}
import { warmUpBindings } from ${spinWarmUp}
endModuleScope()
const component = toComponent(entry, ${JSON.stringify(id)})
await warmUp(entry)
warmUpBindings()
serveRequests((request, platform) => component.fetch(request, platform), spinPlatform)
`
}

/** Paths of the modules that the glue imports: the SDK's part, the platform, serving on it, and its warm-up. */
async function modulesOfOurs(entry: string): Promise<string[]> {
  // Prefer the SDK that the tool was written with, so that versions match; ours is for tools written without it.
  const found = await resolveModule('ftl-sdk/serve', dirname(entry))
  return [
    'path' in found ? found.path : own('ftl-sdk/serve'),
    own('ftl-platform/spin'),
    own('ftl-platform/spin-serve'),
    own('ftl-platform/spin-warm-up'),
  ]
}

function own(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier))
}

// `import { z } from 'zod'` bundles the whole library (454 KB); the namespace form bundles only what is used (85 KB).
const zodNamespaceImport: Plugin = {
  name: 'zod-namespace-import',
  setup(context) {
    context.onLoad({ filter: /\.[mc]?tsx?$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const source = await readFile(path, 'utf8')
      const pattern = /^(\s*)import\s*\{\s*z\s*\}\s*from\s*(['"])zod\2/gm
      if (!pattern.test(source)) return undefined
      return {
        contents: source.replace(pattern, '$1import * as z from $2zod$2'),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }
    })
  },
}

function toBuildError(id: string, error: unknown, inputs: readonly string[] = []): unknown {
  if (!isBuildFailure(error)) return error
  return new BuildError(id, error.errors.map(formatMessage), inputs)
}

/** The files that were read of an entry that could not be bundled: the bundler names them only when all is well. */
async function filesOf(entry: string): Promise<string[]> {
  const files = new Set<string>()
  const collect: Plugin = {
    name: 'collect-files',
    setup(context) {
      context.onLoad({ filter: /./, namespace: 'file' }, ({ path }) => {
        files.add(path)
        return undefined
      })
    },
  }
  await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outfile: 'unused.js',
    platform: 'browser',
    external: ['fermyon:*', 'wasi:*'],
    logLevel: 'silent',
    plugins: [collect],
  }).catch(() => {})
  return [...files]
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

function formatMessage({ text, location, notes }: Message): string {
  const remedy = bundlerHint(text)
  const hint = notes.find((note) => note.text.startsWith('Did you mean'))?.text
  const words = [text, remedy, hint].filter((part) => part !== undefined).join('. ')
  if (!location) return words
  const { file, line, column, length, lineText } = location
  return excerpt({ file, line, column: column + 1, length, lineText }, words)
}
