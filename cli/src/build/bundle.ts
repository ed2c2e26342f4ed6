/**
 * Bundles a component's TypeScript into the one module that componentize-js takes.
 *
 * @module
 */
import { build, type BuildFailure, type Message, type Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BuildError } from './build-error.ts'

export interface Bundle {
  code: string
  /** Source map of `code`, to name the TypeScript line when the module throws while it is initialised. */
  map: string
  /** Absolute paths of every file that went in. */
  inputs: string[]
}

export interface BundleOptions {
  /** The component's name in `spin.toml`. */
  id: string
  /** Absolute path of its entry module. */
  entry: string
}

/**
 * @throws {BuildError} naming file, line and column of each mistake.
 */
export async function bundle({ id, entry }: BundleOptions): Promise<Bundle> {
  const served = await hasExports(id, entry)
  const slim = await run(id, entry, served, [zodNamespaceImport, withoutZod3])
  return slim.inputs.some(isZod3) ? run(id, entry, served, [zodNamespaceImport]) : slim
}

async function run(id: string, entry: string, served: boolean, plugins: Plugin[]): Promise<Bundle> {
  const cwd = process.cwd()
  const result = await build({
    ...(served
      ? {
          stdin: {
            contents: glue(entry, id),
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
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
    external: ['fermyon:*', 'wasi:*'],
    define: {
      'process.env.NODE_ENV': '"production"',
      // Libraries look at their own address when they load; at build time there is none, and asking throws.
      'self.location': 'undefined',
    },
    plugins,
  }).catch((error: unknown) => {
    throw toBuildError(id, error)
  })
  const [map, code] = ['.map', '.js'].map(
    (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? '',
  )
  return {
    code: code ?? '',
    map: map ?? '',
    inputs: Object.keys(result.metafile.inputs)
      .filter((path) => !path.endsWith('.entry.js'))
      .map((path) => new URL(path, `file://${cwd}/`).pathname),
  }
}

// A module without exports registers its own fetch event and is taken as it is.
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

function glue(entry: string, id: string): string {
  const [serve, spin, spinWarmUp] = [
    'ftl-sdk/serve',
    'ftl-platform/spin',
    'ftl-platform/spin-warm-up',
  ].map((specifier) => JSON.stringify(fileURLToPath(import.meta.resolve(specifier))))
  return `import * as entry from ${JSON.stringify(entry)}
import { toComponent, warmUp } from ${serve}
import { spinPlatform } from ${spin}
import { warmUpBindings } from ${spinWarmUp}
const component = toComponent(entry, ${JSON.stringify(id)})
await warmUp(entry)
warmUpBindings()
addEventListener('fetch', (event) =>
  event.respondWith(component.fetch(event.request, spinPlatform(event))))
`
}

// `import { z } from 'zod'` keeps the whole library alive (454 KB); the namespace form keeps what is used (85 KB).
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

// The converter for Zod 3 brings all of Zod 3 (77 KB, 1 MB of component), so it goes in only where Zod 3 is used.
const withoutZod3: Plugin = {
  name: 'without-zod-3',
  setup(context) {
    context.onResolve({ filter: /^zod-to-json-schema$/ }, () => ({
      path: 'none',
      namespace: 'without-zod-3',
    }))
    context.onLoad({ filter: /.*/, namespace: 'without-zod-3' }, () => ({
      contents: 'export const zodToJsonSchema = undefined',
    }))
  },
}

function isZod3(path: string): boolean {
  if (/\/node_modules\/zod\/v3\//.test(path)) return true
  const [folder] = /^.*\/node_modules\/zod[^/]*\//.exec(path) ?? []
  if (folder === undefined) return false
  const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as {
    version: string
  }
  return version.startsWith('3.') && !path.includes('/v4/')
}

function toBuildError(id: string, error: unknown): unknown {
  if (!isBuildFailure(error)) return error
  return new BuildError(id, error.errors.map(formatMessage))
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

function formatMessage({ text, location }: Message): string {
  if (!location) return text
  const { file, line, column, lineText } = location
  return `${file}:${line}:${column + 1}: ${text}\n    ${lineText.trim()}`
}
