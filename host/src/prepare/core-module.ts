/**
 * Extracts the main core module of a component, if that module can be run without the rest.
 *
 * A component made by componentize-js, Rust or TinyGo holds one large module with the program and small ones
 * that adapt it to the component model. On the fast way the host calls the large one directly.
 */
import type { ReadComponent } from '../generic/component-code.ts'
import { isComposed } from '../generic/inspect.ts'
import { isKnownFunction } from '../instance/imports.ts'
import { withoutVersion } from '../instance/interfaces.ts'
import { WITHHOLDABLE } from '../instance/withheld.ts'
import { checkModule } from '../wasm/check-module.ts'
import { exportNames } from '../wasm/module-shape.ts'

const HANDLER = /^wasi:http\/incoming-handler@0\.2\.\d+#handle$/
/** Exports that the host uses besides the handler. */
const NEEDED = ['memory', 'cabi_realloc']
/** Exports that must run before the handler, and that the host does not run. */
const INITIALIZERS = ['_initialize', '_start', '__wasm_call_ctors']

export type FastWay = { main: Uint8Array } | { refused: string }

/** The module that can replace the whole component, or the reason why no module can. */
export function fastWay(component: ReadComponent): FastWay {
  if (isComposed(component)) return { refused: 'it is composed of several components' }
  const mains = component.modules.filter((module) => exportNames(module).some(isHandler))
  const [main] = mains
  if (main === undefined || mains.length > 1) {
    return { refused: 'none of its core modules exports the handler' }
  }
  const names = exportNames(main)
  const missing = NEEDED.find((name) => !names.includes(name))
  if (missing) return { refused: `its main module does not export ${missing}` }
  const initializer = INITIALIZERS.find((name) => names.includes(name))
  if (initializer) return { refused: `its main module has to be started by ${initializer}` }
  const { imports } = checkModule(main)
  if (imports.some(({ kind }) => kind !== 'function')) {
    return { refused: 'its main module shares a memory, table or global' }
  }
  const unknown = imports.find(
    ({ from, name, signature = '' }) => !isKnownFunction(from, name, signature),
  )
  if (unknown) return { refused: `its main module imports "${unknown.name}" of ${unknown.from}` }
  return { main }
}

const isHandler = (name: string) => HANDLER.test(name)

/** Interfaces that the component does not import, whatever its main module imports. See `instance/withheld.ts`. */
export function withheldOf({ code }: ReadComponent): string[] {
  const imported = new Set(
    code.definitions.flatMap((definition) =>
      definition.kind === 'import' ? [withoutVersion(definition.name)] : [],
    ),
  )
  return WITHHOLDABLE.filter((name) => !imported.has(name))
}
