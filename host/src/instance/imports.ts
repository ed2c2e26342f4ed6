/** Everything a component's main module imports, matched by interface and function name. */
import { environmentImports, stdioImports } from './wasi-cli.ts'
import { monotonicClockImports, wallClockImports } from './clocks.ts'
import { insecureRandomImports, randomImports } from './random.ts'
import { fieldsImports } from './fields.ts'
import { filesystemImports, preopensImports } from './filesystem.ts'
import { Guest } from './guest.ts'
import { incomingImports } from './http-incoming.ts'
import { outgoingImports } from './http-outgoing.ts'
import { withoutVersion } from './interfaces.ts'
import { inputStreamImports, ioErrorImports, pollImports } from './io.ts'
import { type ImportFunction, jspi } from './jspi.ts'
import { keyValueImports, variablesImports } from './key-value-imports.ts'
import { outgoingHandlerImports, requestOptionsImports } from './outgoing-handler.ts'
import { outputStreamImports } from './output-stream.ts'
import type { Program } from './instance.ts'
import { preview1, type Preview1 } from './preview1.ts'
import type { ComponentServices } from './services.ts'
import { signatureOf } from './signatures.ts'
import { socketImports } from './sockets.ts'
import { Trap } from './trap.ts'
import { withheldFunction } from './withheld.ts'

/** Functions that may wait; the rest must answer at once, which is cheaper for the engine. */
const MAY_WAIT = /^(poll|\[method\](pollable\.block|store\..*|(input|output)-stream\.blocking-.*))$/

/** Everything we offer, by interface without its version: 0.2.x are the same. */
export function offered(
  guest: Guest,
  { imports, ...output }: Preview1,
): Record<string, Record<string, ImportFunction>> {
  const { 'http-error-code': httpErrorCode = () => undefined, ...errors } = ioErrorImports(guest)
  return {
    ...stdioImports(guest, output),
    ...socketImports(guest),
    ...insecureRandomImports(guest),
    'wasi:io/error': errors,
    'wasi:io/poll': pollImports(guest),
    'wasi:io/streams': { ...inputStreamImports(guest), ...outputStreamImports(guest) },
    'wasi:clocks/monotonic-clock': monotonicClockImports(guest),
    'wasi:clocks/wall-clock': wallClockImports(guest),
    'wasi:random/random': randomImports(guest),
    'wasi:cli/environment': environmentImports(guest),
    'wasi:http/types': {
      ...fieldsImports(guest),
      ...incomingImports(guest),
      ...outgoingImports(guest),
      ...requestOptionsImports(guest),
      'http-error-code': httpErrorCode,
    },
    'wasi:http/outgoing-handler': outgoingHandlerImports(guest),
    'wasi:filesystem/types': filesystemImports(guest),
    'wasi:filesystem/preopens': preopensImports(guest),
    'fermyon:spin/key-value': keyValueImports(guest),
    'fermyon:spin/variables': variablesImports(guest),
    wasi_snapshot_preview1: imports,
  }
}

/**
 * The import object of one instance.
 *
 * A function we do not have traps when it is called, not before: engines import more than programs use.
 */
export function importsFor(
  { module, withheld = [] }: Pick<Program, 'module' | 'withheld'>,
  guest: Guest,
  output: Preview1,
): WebAssembly.Imports {
  const functions = hostFunctions(guest, output)
  const imports = withoutPrototype<WebAssembly.ModuleImports>()
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const group = (imports[from] ??= withoutPrototype<WebAssembly.ImportValue>())
    group[name] = withheld.includes(withoutVersion(from))
      ? withheldFunction(guest, name)
      : functions(from, name)
  }
  return imports
}

/** For names a guest chooses: `__proto__` and `constructor` are names like any other. */
export const withoutPrototype = <T>(): Record<string, T> => Object.create(null) as Record<string, T>

/**
 * The host's functions for one instance, ready to be imported by a core module.
 *
 * @returns by interface and name; `wrap` may put something around the function.
 */
export function hostFunctions(
  guest: Guest,
  output: Preview1,
): (from: string, name: string, wrap?: Wrap) => WebAssembly.ImportValue {
  const { Suspending } = jspi()
  const have = offered(guest, output)
  return (from, name, wrap = (call) => call) => {
    const call = wrap(own(own(have, withoutVersion(from)), name) ?? unsupported(`${from} ${name}`))
    return MAY_WAIT.test(name) ? new Suspending(call) : call
  }
}

/** Whether the host has the function with this type, see {@link signatureOf}; it traps when it is called otherwise. */
export function isKnownFunction(from: string, name: string, signature: string): boolean {
  known ??= namesOffered()
  return (
    known.get(withoutVersion(from))?.has(name) === true && signatureOf(from, name) === signature
  )
}

let known: Map<string, Set<string>> | undefined

// The functions are made and not called, so that a guest without anything will do.
function namesOffered(): Map<string, Set<string>> {
  const guest = new Guest({ environment: {} } as ComponentServices)
  return new Map(
    Object.entries(offered(guest, preview1(guest))).map(([from, functions]) => [
      from,
      new Set(Object.keys(functions)),
    ]),
  )
}

/** The entry a table has itself: every object inherits a `constructor`. */
function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

type Wrap = (call: ImportFunction) => ImportFunction

function unsupported(what: string): ImportFunction {
  return () => {
    throw new Trap(`the host does not support ${what}`)
  }
}
