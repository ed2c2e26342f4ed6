/**
 * Everything a component's main module imports, matched by interface and function name.
 *
 * @module
 */
import { environmentImports } from './cli.ts'
import { monotonicClockImports, randomImports, wallClockImports } from './clocks.ts'
import { fieldsImports } from './fields.ts'
import { filesystemImports, preopensImports } from './filesystem.ts'
import type { Guest } from './guest.ts'
import { incomingImports } from './http-incoming.ts'
import { outgoingImports } from './http-outgoing.ts'
import { inputStreamImports, ioErrorImports, pollImports } from './io.ts'
import { type ImportFunction, jspi } from './jspi.ts'
import { keyValueImports, variablesImports } from './key-value.ts'
import { outgoingHandlerImports, requestOptionsImports } from './outgoing-handler.ts'
import { outputStreamImports } from './output-stream.ts'
import { type Preview1 } from './preview1.ts'
import { Trap } from './trap.ts'

/** Functions that may wait; the rest must answer at once, which is cheaper for the engine. */
const MAY_WAIT = /^(poll|\[method\](pollable\.block|(input|output)-stream\.blocking-.*))$/

/** Everything we offer, by interface without its version: 0.2.x are the same. */
function offered(guest: Guest, preview1: Preview1): Record<string, Record<string, ImportFunction>> {
  return {
    'wasi:io/error': ioErrorImports(guest),
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
      'http-error-code': ioErrorImports(guest)['http-error-code'] ?? (() => undefined),
    },
    'wasi:http/outgoing-handler': outgoingHandlerImports(guest),
    'wasi:filesystem/types': filesystemImports(guest),
    'wasi:filesystem/preopens': preopensImports(guest),
    'fermyon:spin/key-value': keyValueImports(guest),
    'fermyon:spin/variables': variablesImports(guest),
    wasi_snapshot_preview1: preview1.imports,
  }
}

/**
 * The import object of one instance.
 *
 * A function we do not have traps when it is called, not before: engines import more than programs use.
 */
export function importsFor(
  module: WebAssembly.Module,
  guest: Guest,
  preview1: Preview1,
): WebAssembly.Imports {
  const { Suspending } = jspi()
  const have = offered(guest, preview1)
  const imports: WebAssembly.Imports = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const call = have[from.replace(/@.*$/, '')]?.[name] ?? unsupported(`${from} ${name}`)
    const group = (imports[from] ??= {})
    group[name] = MAY_WAIT.test(name) ? new Suspending(call) : call
  }
  return imports
}

function unsupported(what: string): ImportFunction {
  return () => {
    throw new Trap(`the host does not support ${what}`)
  }
}
