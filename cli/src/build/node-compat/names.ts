/** Which modules of Node `node_compat` gives a component. */

/** By name: the files of `runtime/`, most of them of the same name. */
const FILES: Readonly<Record<string, string>> = {
  assert: 'assert',
  'assert/strict': 'assert-strict',
  async_hooks: 'async-hooks',
  buffer: 'buffer',
  crypto: 'crypto',
  diagnostics_channel: 'diagnostics-channel',
  events: 'events',
  os: 'os',
  path: 'path',
  'path/posix': 'path',
  perf_hooks: 'perf-hooks',
  process: 'process',
  punycode: 'punycode',
  querystring: 'querystring',
  stream: 'stream',
  'stream/promises': 'stream-promises',
  'stream/web': 'stream-web',
  string_decoder: 'string-decoder',
  timers: 'timers',
  'timers/promises': 'timers-promises',
  tty: 'tty',
  url: 'url',
  util: 'util',
  'util/types': 'types',
}

export function fileOf(name: string): string | undefined {
  return Object.hasOwn(FILES, name) ? FILES[name] : undefined
}

/** @param name without `node:`. */
export const hasNodeCompat = (name: string): boolean => fileOf(name) !== undefined
