/**
 * `node_compat = true`: modules of Node that need nothing of a machine, and the globals `Buffer`, `process`, `global` and
 * `setImmediate`. A module that needs a machine (`fs`, `net`, …) can be imported, and throws where it is used.
 *
 * It gives a component no capability: everything is JavaScript over the Web APIs that each component has.
 */
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild'
import { isNodeModule, nodeModuleHint } from '../hints.ts'
import { fileOf, hasNodeCompat } from './names.ts'
import { stubModule } from './stub.ts'

/** The source in the repository is TypeScript, in a package it is compiled. */
const ENDING = import.meta.url.slice(-3)
const own = (name: string): string =>
  fileURLToPath(new URL(`./runtime/${name}${ENDING}`, import.meta.url))

/** What the library of streams brings along for browsers, and the layer has anyway. */
const INSTEAD: Readonly<Record<string, string>> = {
  'process/': 'process',
  'abort-controller': 'abort-controller',
}

const ASKED = Symbol('asked already')

const INJECTED_NAMES = own('injected-names')

/** What else the bundler needs. */
export const nodeCompatOptions = {
  inject: [INJECTED_NAMES],
  define: { global: 'globalThis', __dirname: '"/"', __filename: '"/index.js"' },
} satisfies BuildOptions

export const nodeCompat: Plugin = {
  name: 'node-compat',
  setup(context) {
    context.onResolve({ filter: /^(node:)?[a-z0-9_]+(\/[a-z0-9_]+)*$/ }, (args) =>
      find(context, args),
    )
    context.onResolve({ filter: /^(process\/|abort-controller)$/ }, ({ path, importer, kind }) =>
      /[\\/]readable-stream[\\/]/.test(importer) ? placed(INSTEAD[path] ?? '', kind) : undefined,
    )
    // What a component does not use of the globals is left out.
    context.onResolve({ filter: /^\.\/(buffer|process|timers)\.[jt]s$/ }, ({ path, importer }) =>
      importer === INJECTED_NAMES
        ? { path: own(path.slice(2, -3)), sideEffects: false }
        : undefined,
    )
    // `require` gets what `module.exports` is in Node, and not the namespace.
    context.onLoad({ filter: /./, namespace: 'node-compat' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)}).default`,
      resolveDir: import.meta.dirname,
    }))
    context.onLoad({ filter: /./, namespace: 'node-stub' }, ({ path }) => ({
      contents: stubModule(path, nodeModuleHint(path)),
    }))
  },
}

async function find(
  context: PluginBuild,
  { path, importer, kind, resolveDir, pluginData }: OnResolveArgs,
): Promise<OnResolveResult | undefined> {
  const name = path.replace(/^node:/, '')
  const isPrefixed = path !== name
  if (pluginData === ASKED || !isNodeModule(path)) return undefined
  if (!isPrefixed) {
    // A package may name a module of its own for browsers. Where it names none, it gets the module of the layer.
    const found = await context.resolve(path, { importer, kind, resolveDir, pluginData: ASKED })
    const isInstalled = new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]`).test(found.path)
    const isLeftOut = !isAbsolute(found.path) && !hasNodeCompat(name)
    const isOther = isAbsolute(found.path) && !isInstalled
    if (found.errors.length === 0 && (isLeftOut || isOther)) return undefined
  }
  const file = fileOf(name)
  return file === undefined ? { path: name, namespace: 'node-stub' } : placed(file, kind)
}

function placed(file: string, kind: OnResolveArgs['kind']): OnResolveResult {
  return kind === 'require-call'
    ? { path: own(file), namespace: 'node-compat' }
    : { path: own(file), sideEffects: false }
}
