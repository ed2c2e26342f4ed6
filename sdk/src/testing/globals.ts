/**
 * Hides the globals of Node and of a page that a component lacks, while code under test runs. Without this, a tool that
 * reads `process.env` or calls `Buffer` passes its tests and fails in the component. `Intl` is the one of a component, which
 * knows English only.
 *
 * Only the code under test is affected. The test itself, the test runner and Node keep their globals: which code reads a
 * global is taken from the stack.
 */

import { componentIntl, componentMethods } from './component-intl.ts'

/** Present in Node or a simulated page, absent in a component. */
const ABSENT = [
  ...['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate', 'Intl', 'Temporal'],
  ...['WebAssembly', 'Atomics', 'Worker', 'BroadcastChannel', 'MessageChannel', 'MessagePort'],
  ...['WebSocket', 'EventSource', 'XMLHttpRequest', 'URLPattern', 'navigator', 'location'],
  ...['document', 'window', 'localStorage', 'sessionStorage', 'indexedDB', 'caches'],
  ...['DOMParser', 'HTMLElement', 'Element', 'Node', 'requestAnimationFrame', 'gc'],
]

/** Code that keeps its globals: Node, test runners and what they load, test files and their helpers, this kit. */
const KEEPS = [
  /^node:|^internal\//,
  /[\\/]node_modules[\\/](?:\.[^\\/]+[\\/])*(?:[^\\/]+[\\/]node_modules[\\/])?(?:@vitest|vitest|vite|vite-node|tinypool|tinyspy|chai|expect|@jest|jest[^\\/]*|mocha|tsx|jsdom|happy-dom)[\\/]/,
  /\.(?:test|spec|bench)\.[cm]?[jt]sx?(?:\?.*)?$/,
  /[\\/]__tests__[\\/]/,
]
/** The folder of this file: the kit itself. */
const KIT = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1)

interface Run {
  /** Names that the build gives this component. */
  given: ReadonlySet<string>
  /** Hidden names that the code under test read. */
  missed: Set<string>
}

const runs = new Set<Run>()
let restore: (() => void) | undefined

/**
 * Runs `work` without the globals that a component lacks.
 *
 * @param given names that the build gives the component.
 * @param missed receives the hidden names that were read.
 */
export async function withComponentGlobals<T>(
  given: readonly string[],
  missed: Set<string>,
  work: () => Promise<T>,
): Promise<T> {
  const run: Run = { given: new Set(given), missed }
  runs.add(run)
  restore ??= hide()
  try {
    return await work()
  } finally {
    runs.delete(run)
    if (runs.size === 0) {
      restore?.()
      restore = undefined
    }
  }
}

function hide(): () => void {
  const hidden: [string, PropertyDescriptor][] = []
  for (const name of ABSENT) {
    const own = Object.getOwnPropertyDescriptor(globalThis, name)
    if (!own?.configurable) continue
    hidden.push([name, own])
    Object.defineProperty(globalThis, name, guarded(name, own))
  }
  const replaced = componentMethods.map(replaceMethod)
  return () => {
    for (const [name, own] of hidden) Object.defineProperty(globalThis, name, own)
    for (const restoreMethod of replaced) restoreMethod()
  }
}

/** Code under test gets the method of a component, all other code its own. */
function replaceMethod({ prototype, name, method }: (typeof componentMethods)[number]): () => void {
  const own = Object.getOwnPropertyDescriptor(prototype, name)
  const real = own?.value as ((...args: unknown[]) => unknown) | undefined
  if (!own?.configurable || !real) return () => {}
  const replacement = function (this: unknown, ...args: unknown[]): unknown {
    const isKept = isGiven('Intl') || keepsGlobals(callerOf())
    return Reflect.apply(isKept ? real : method, this, args)
  }
  Object.defineProperty(prototype, name, { ...own, value: replacement })
  return () => Object.defineProperty(prototype, name, own)
}

function isGiven(name: string): boolean {
  return [...runs].some(({ given }) => given.has(name))
}

function guarded(name: string, own: PropertyDescriptor): PropertyDescriptor {
  const read = (): unknown => (own.get ? (own.get.call(globalThis) as unknown) : own.value)
  return {
    configurable: true,
    enumerable: own.enumerable ?? false,
    get() {
      if (isGiven(name) || keepsGlobals(callerOf())) return read()
      if (name === 'Intl') return componentIntl
      for (const { missed } of runs) missed.add(name)
      // `typeof` must not throw, so this cannot be the ReferenceError of a component.
      return undefined
    },
    set(value: unknown) {
      if (own.set) own.set.call(globalThis, value)
      else own.value = value
    },
  }
}

/** File of the code that reads the global; `undefined` where the stack does not show it. */
function callerOf(): string | undefined {
  const { stackTraceLimit } = Error
  const prepare = Reflect.get<typeof Error, 'prepareStackTrace'>(Error, 'prepareStackTrace')
  try {
    Error.stackTraceLimit = 3
    Error.prepareStackTrace = (_, sites) => sites
    const sites = new Error().stack as unknown as NodeJS.CallSite[]
    // This function, the getter, the reader.
    return sites[2]?.getFileName() ?? undefined
  } finally {
    Error.prepareStackTrace = prepare
    Error.stackTraceLimit = stackTraceLimit
  }
}

function keepsGlobals(file: string | undefined): boolean {
  if (file === undefined) return true
  const url = file.startsWith('/') ? `file://${file}` : file
  const isKit = url.startsWith(KIT) && /^(built\/)?[^/]*$/.test(url.slice(KIT.length))
  return isKit || KEEPS.some((pattern) => pattern.test(file))
}

/** What an author reads beside the error that a missing global led to. */
export function missedHint(missed: ReadonlySet<string>): string {
  if (missed.size === 0) return ''
  const names = [...missed].join(', ')
  return (
    `\nThe code read ${names}, which a component does not have (docs/npm-libraries.md). ` +
    `If the build gives it, say so: testTool(tool, { globals: [${[...missed].map((name) => `'${name}'`).join(', ')}] })`
  )
}
