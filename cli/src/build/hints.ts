/**
 * Hints for errors of the engine and the bundler: their messages name what is missing, but not what a component can
 * use instead.
 */

const IN_HANDLER = 'module scope runs once, while the component is built'

/** By the message of the engine, at build time or in the log of a call. */
const BY_ENGINE: readonly [words: RegExp, hint: string][] = [
  [
    /\bBuffer is not defined/,
    'A component has no Buffer: use Uint8Array, TextEncoder, atob and btoa',
  ],
  [
    /\bprocess is not defined/,
    'A component has no process: settings come from context.variables.get("…"), in the handler',
  ],
  [
    /\bIntl is not defined/,
    'A component has no Intl: format by hand, or with a library that brings its own data',
  ],
  [
    /\brequire is not defined/,
    'A component has no require: write import … from "…" at the top of the file',
  ],
  [
    /\b(fetch|setTimeout|setInterval) can only be used during request handling/,
    `Move it into the handler: ${IN_HANDLER}`,
  ],
  [
    /\b(only possible in a request, not while the component is built|waits for something only a request has)/,
    `Move it into the handler: ${IN_HANDLER}`,
  ],
  [
    /^JavaScript ran for more than/,
    'Wait for something in between, such as await new Promise((done) => setTimeout(done)), or end the loop',
  ],
  [
    /JS event loop terminated without completing the request|waits for something that never happens/,
    'The handler waits for something that cannot happen any more, such as a promise that is never settled, or its caller has disconnected',
  ],
]

/** By the module that the bundler cannot find; `name` is its specifier. */
const BY_MODULE: readonly [name: RegExp, hint: (name: string) => string][] = [
  [
    /^(node:)?fs(\/promises)?$/,
    () =>
      'A component has no file system of Node: mount the files with files = ["…"] in spin.toml, and read them with ' +
      'context.platform.files.read("/…")',
  ],
  [
    /^(node:)?https?$/,
    () => 'A component has no sockets of Node: use context.fetch("https://…") in the handler',
  ],
  [
    /^(node:)?crypto$/,
    () => 'A component has Web Crypto: crypto.subtle, crypto.randomUUID() in the handler',
  ],
  [
    /^(node:.*|assert|buffer|child_process|dns|events|module|net|os|path|process|stream|timers|tls|url|util|vm|worker_threads|zlib)$/,
    (name) =>
      `A component has no modules of Node (${name}): use what the web platform has, or a package made for browsers`,
  ],
  [
    /^\.{0,2}\//,
    () => 'There is no such file: correct the path, its ending (.ts) included, or write the file',
  ],
  [
    /^[^#]/,
    (name) =>
      `The package is not installed: npm install ${/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name}`,
  ],
]

/** The hint for the engine's message `words`, if one is known. */
export function engineHint(words: string): string | undefined {
  return BY_ENGINE.find(([pattern]) => pattern.test(words))?.[1]
}

/** Explains a host call at module scope: there is no host at build time, so it fails as an unknown import. */
export function hostCallProblem(words: string): string | undefined {
  const [, from = '', name = ''] =
    /unknown imported function: '([^']+)' '([^']+)'/.exec(words) ?? []
  if (from === '') return undefined
  return `something at module scope asks the host for ${from} ${name}. Move it into the handler: ${IN_HANDLER}, and there is no host yet`
}

/** The hint for the bundler's message `words`, if one is known. */
export function bundlerHint(words: string): string | undefined {
  const [, name] = /^Could not resolve "([^"]+)"/.exec(words) ?? []
  if (name === undefined) return undefined
  return BY_MODULE.find(([pattern]) => pattern.test(name))?.[1](name)
}

/** What to use instead of a module of Node. */
export function nodeModuleHint(name: string): string {
  return BY_MODULE.find(([pattern]) => pattern.test(`node:${name}`))?.[1](`node:${name}`) ?? ''
}
