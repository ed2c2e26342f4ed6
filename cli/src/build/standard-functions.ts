/**
 * Functions and classes of the language that the gateway uses so often that the bundler cannot shorten their names:
 * `JSON.stringify` alone takes a kilobyte. In its bundle each is a variable, which takes a letter or two and one look-up less
 * each time. `undefined` is not one of them: as a variable, each use takes more in the component than it saves here.
 *
 * Only for the gateway as we ship it: other code may replace one of these functions, and would expect that all use its own.
 */
import { realpathSync } from 'node:fs'
import type { BuildOptions, Plugin } from 'esbuild'
import { own } from './own-module-path.ts'

/** Those that do not look at `this`. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  JSON: ['parse', 'stringify'],
  Object: ['assign', 'entries', 'fromEntries', 'hasOwn', 'keys', 'values'],
  Array: ['isArray'],
  Math: ['ceil', 'floor', 'max', 'min'],
  Number: ['isFinite', 'isInteger'],
  Date: ['parse'],
  String: ['fromCharCode'],
}

/** Not `Map` and `Set`: of these the bundler knows that making one has no effect, so it can leave out unused ones. */
const CLASSES: readonly string[] = [
  ...['Error', 'Number', 'Promise', 'Request', 'Response', 'String', 'Uint8Array'],
  ...['TextDecoder', 'TextEncoder', 'URLSearchParams'],
]

const MODULE = 'ftl:standard-functions'

const nameOf = (object: string, name: string): string => `ftl_${object}_${name}`

const classNameOf = (name: string): string => nameOf('class', name)

// Taken apart, because the bundler would replace `JSON.parse` in this module, too.
const SOURCE = [
  ...Object.entries(FUNCTIONS).map(([object, names]) => {
    const variables = names.map((name) => `${name}: ${nameOf(object, name)}`)
    return `export const { ${variables.join(', ')} } = globalThis.${object}`
  }),
  `export const { ${CLASSES.map((name) => `${name}: ${classNameOf(name)}`).join(', ')} } = globalThis`,
].join('\n')

const plugin: Plugin = {
  name: 'standard-functions',
  setup(context) {
    context.onResolve({ filter: /^ftl:standard-functions$/ }, ({ path }) => ({
      path,
      namespace: 'ftl-functions',
    }))
    context.onLoad({ filter: /./, namespace: 'ftl-functions' }, () => ({ contents: SOURCE }))
  },
}

interface Options extends Required<Pick<BuildOptions, 'define'>> {
  inject: string[]
  plugins: Plugin[]
}

const OPTIONS: Options = {
  inject: [MODULE],
  define: Object.fromEntries<string>([
    ...Object.entries(FUNCTIONS).flatMap(([object, names]) =>
      names.map((name) => [`${object}.${name}`, nameOf(object, name)] as const),
    ),
    ...CLASSES.map((name) => [name, classNameOf(name)] as const),
  ]),
  plugins: [plugin],
}

/** What the bundler needs for this; nothing for code that is not ours. */
export function standardFunctions(entry: string): Options {
  return realpathSync(entry) === realpathSync(own('ftl-gateway'))
    ? OPTIONS
    : { inject: [], define: {}, plugins: [] }
}
