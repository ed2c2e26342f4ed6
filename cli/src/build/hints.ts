/**
 * Hints for errors of the engine and the bundler: their messages name what is missing, but not what a component can
 * use instead.
 */

import { builtinModules } from 'node:module'
import { hasNodeCompat } from './node-compat/names.ts'

const IN_HANDLER = 'module scope runs once, while the component is built'

/** By the message of the engine, at build time or in the log of a call. */
const BY_ENGINE: readonly [words: RegExp, hint: string][] = [
  [
    /\bBuffer is not defined/,
    'A component has no Buffer: use Uint8Array, TextEncoder, atob and btoa, or set node_compat = true in [component.NAME.tool.ftl]',
  ],
  [
    /\bprocess is not defined/,
    'A component has no process: settings come from context.variables.get("…"), in the handler. For a package that needs ' +
      'it, set node_compat = true in [component.NAME.tool.ftl]',
  ],
  [
    /\bIntl is not defined/,
    'This component has no Intl: remove intl = false from spin.toml, or format by hand',
  ],
  [
    /\b(document|window|DOMParser|XMLHttpRequest|localStorage) is not defined/,
    'A component has no DOM: use a package for servers, such as "cheerio" for HTML',
  ],
  [
    /\bWebAssembly is not (defined|supported)/,
    'A component cannot run WebAssembly inside itself: use a package in JavaScript',
  ],
  [
    /\brequire is not defined/,
    'A component has no require: write import … from "…" at the top of the file',
  ],
  [
    /\b(only possible in a request, not while the component is built|waits for something only a request has)/,
    `Move it into the handler: ${IN_HANDLER}`,
  ],
  [
    /\btool name "undefined"/,
    'Name, description and inputSchema belong in "metadata": createTool({ metadata: { name, description, inputSchema }, handler })',
  ],
  [
    /inputSchema: the root must have "type": "object"/,
    'An object of schemas is not a schema: write z.object({ … })',
  ],
  [
    /\bThe URL has \d+ characters/,
    'Limit the strings of the schema that become part of it: z.string().max(200), or "maxLength": 200',
  ],
  [
    /\bout of memory\b/,
    'Hold less at once, or give each request more: --max-instance-memory BYTES, or max_instance_memory in the runtime configuration',
  ],
  [
    /waits for something that never happens/,
    'The handler waits for something that cannot happen any more, such as a promise that is never settled, or its caller has disconnected',
  ],
]

/** With this key, the modules of Node that need no machine can be used. */
const COMPAT = 'node_compat = true in [component.NAME.tool.ftl] of spin.toml'

/** By the module that the bundler cannot find; `name` is its specifier. */
const BY_MODULE: readonly [name: RegExp, hint: (name: string) => string][] = [
  [
    /^(node:)?fs(\/promises)?$/,
    () =>
      'A component has no file system of Node: mount the files with files = ["…"] in spin.toml, and read them with ' +
      'context.platform.files.read("/…")',
  ],
  [
    /^(node:)?(http|https|http2|net|tls|dgram|dns)(\/promises)?$/,
    () => 'A component has no sockets of Node: use context.fetch("https://…") in the handler',
  ],
  [
    /^(node:)?(child_process|cluster|worker_threads)$/,
    () =>
      'A component cannot start programs or threads: use another component, called with callTool, or a service, called with ' +
      'context.fetch',
  ],
  [
    /^(node:)?zlib$/,
    () => 'A component has CompressionStream and DecompressionStream, or use the package "fflate"',
  ],
  [
    /^(node:)?sqlite$/,
    () => 'A component has no database of its own: use a key-value store, context.platform.kv',
  ],
  [
    /^(node:)?crypto$/,
    () =>
      `A component has Web Crypto: crypto.subtle, crypto.randomUUID() in the handler. For createHash and the like, set ${COMPAT}`,
  ],
]

/** The hints with the name of the component that they are about. */
export const namedFor = (component: string, words: string): string =>
  words.replaceAll('[component.NAME.', `[component.${component}.`)

/** The hint for a module of Node, which the bundler cannot find. */
function builtinHint(name: string): string {
  const found = BY_MODULE.find(([pattern]) => pattern.test(name))?.[1](name)
  if (found !== undefined) return found
  return hasNodeCompat(name.replace(/^node:/, ''))
    ? `A component has no modules of Node (${name}) unless you set ${COMPAT}`
    : `A component does not have the module ${name} of Node: use what the web platform has, or a package made for browsers`
}

/** Whether a specifier is that of a module of Node, with or without its prefix. */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}

/** The hint for the engine's message `words`, if one is known. */
export function engineHint(words: string): string | undefined {
  return BY_ENGINE.find(([pattern]) => pattern.test(words))?.[1]
}

/** The hint for the bundler's message `words`, if one is known. */
export function bundlerHint(words: string): string | undefined {
  const [, name] = /^Could not resolve "([^"]+)"/.exec(words) ?? []
  if (name === undefined || name.startsWith('#')) return undefined
  if (isNodeModule(name)) return builtinHint(name)
  if (/^\.{0,2}\//.test(name)) {
    return 'There is no such file: correct the path, its ending (.ts) included, or write the file'
  }
  return `The package is not installed: npm install ${/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name}`
}

/** What to use instead of a module of Node that no setting brings. */
export function nodeModuleHint(name: string): string {
  return builtinHint(`node:${name}`)
}
