/**
 * Removes from a thread, after everything is loaded, what no guest needs.
 *
 * A guest cannot reach this thread's JavaScript. If one ever does, the properties of objects that it can then follow lead to no
 * file, no process, no module and no compiler.
 */
import { registerHooks } from 'node:module'

/** What the host and its dependencies use of the global `process` after the start. */
const PROCESS = [
  ...['version', 'versions', 'platform', 'arch', 'release', 'features', 'pid', 'execArgv', 'argv'],
  ...['nextTick', 'hrtime', 'emitWarning', 'uptime', 'memoryUsage', 'cpuUsage'],
] as const

/** Properties of `process` that lead to modules, files, signals or other processes. */
const POWERS = [
  ...['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'mainModule', 'loadEnvFile'],
  ...[
    'kill',
    '_kill',
    'execve',
    'exit',
    'reallyExit',
    'abort',
    'report',
    '_getActiveHandles',
    '_getActiveRequests',
  ],
  ...['chdir', 'umask', 'setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'],
  ...['moduleLoadList', '_preload_modules', 'openStdin', 'stdin', 'finalization'],
]

/** Globals that open files, reach the network past the host's rules, or reach other threads. */
const GLOBALS = [
  ...['fetch', 'WebSocket', 'EventSource', 'FormData', 'Headers', 'Request', 'Response'],
  ...['BroadcastChannel', 'MessageChannel', 'MessagePort', 'Storage', 'localStorage'],
  ...['sessionStorage', 'Navigator', 'navigator', 'eval', 'Function', 'global'],
]

/** Not `Error`: the host sets its `stackTraceLimit`, and code gives errors a name. */
const FROZEN = [
  ...[Object, Array, Map, Set, WeakMap, WeakSet, Promise, Symbol, String, Number, BigInt, RegExp],
  ...[ArrayBuffer, SharedArrayBuffer, DataView, Proxy, Reflect, JSON, Math, Atomics, WebAssembly],
  ...[Boolean, Date, Uint8Array, Object.getPrototypeOf(Uint8Array) as object, URL, URLSearchParams],
  ...[TextEncoder, TextDecoder, ReadableStream, AbortController, AbortSignal],
]

/** Prototypes whose `constructor` makes functions of text. */
const FUNCTIONS: readonly object[] = [
  Function.prototype,
  Object.getPrototypeOf(async () => {}) as object,
  Object.getPrototypeOf(function* () {}) as object,
  Object.getPrototypeOf(async function* () {}) as object,
]

export interface HardenOptions {
  /**
   * Also freezes the prototypes of the language. Requests to a gateway beside the components share them, and none may change them
   * for another. Threads of components alone do without: a request through two components takes 4 % longer with it. Half of that
   * is `RegExp.prototype`, which V8 matches fast only while nothing about it is changed, so that one stays as it is.
   */
  prototypes: boolean
}

/** After it nothing can be imported in this thread. */
export function harden({ prototypes }: HardenOptions): void {
  for (const prototype of FUNCTIONS) {
    Object.defineProperty(prototype, 'constructor', {
      value: undefined,
      writable: false,
      configurable: false,
    })
  }
  poorProcess()
  for (const one of FROZEN) {
    Object.freeze(one)
    if (prototypes && 'prototype' in one && one !== RegExp) Object.freeze(one.prototype)
  }
  if (prototypes) Object.freeze(Function.prototype)
  Object.preventExtensions(Object.prototype)
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name)
  registerHooks({
    resolve: (specifier) => {
      throw new Error(`no module can be imported in a thread of guests: ${specifier}`)
    },
  })
}

function poorProcess(): void {
  const own = process
  const poor: Record<string, unknown> = { env: Object.freeze({}) }
  for (const name of PROCESS) poor[name] = Reflect.get(own, name)
  Object.setPrototypeOf(poor, null)
  Object.defineProperty(globalThis, 'process', {
    value: Object.freeze(poor),
    writable: false,
    configurable: false,
  })
  // Modules that imported `node:process` have the object itself.
  for (const name of POWERS) Reflect.deleteProperty(own, name)
}
