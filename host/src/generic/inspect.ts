/** What a component imports and exports, and whether it is composed of others. */
import { isOffered } from '../instance/interfaces.ts'
import { BinaryError } from '../wasm/binary.ts'
import type { ComponentCode, ReadComponent } from './component-code.ts'
import { readComponent } from './read-component.ts'

export const HANDLER_EXPORT = /^wasi:http\/incoming-handler@0\.2\.\d+$/

/** @throws {BinaryError} naming what the component imports and this host does not offer. */
export function checkImports({ definitions }: ComponentCode): void {
  const missing: string[] = []
  for (const definition of definitions) {
    if (definition.kind !== 'import') continue
    const { name, extern } = definition
    // A type that is imported names one that another import brings.
    if (extern.sort === 'type') continue
    if (extern.sort !== 'instance' || !isOffered(name)) missing.push(name)
  }
  if (missing.length > 0) {
    throw new BinaryError(`imports ${missing.join(', ')}, which this host does not offer`)
  }
}

export function exportsHandler({ definitions }: ComponentCode): boolean {
  return definitions.some(
    (definition) => definition.kind === 'export' && HANDLER_EXPORT.test(definition.name),
  )
}

/** Components in a component that only rename what they are given have no core modules. */
export function isComposed({ code }: ReadComponent): boolean {
  return code.definitions.some(
    (definition) => definition.kind === 'component' && hasModules(definition.code),
  )
}

function hasModules({ definitions }: ComponentCode): boolean {
  return definitions.some(
    (definition) =>
      definition.kind === 'core module' ||
      (definition.kind === 'component' && hasModules(definition.code)),
  )
}

/** An interface that a component imports. */
export interface ComponentImport {
  /** With its version, as written in the component. */
  name: string
  /** Whether this host provides it; then every Spin platform that runs `wasi:http` components does, too. */
  offered: boolean
}

/**
 * The interfaces a built component imports. A host that lacks one of them cannot load it.
 *
 * @throws {Error} when the bytes are not a component, or use a feature this host does not support.
 */
export function componentImports(bytes: Uint8Array): ComponentImport[] {
  return readComponent(bytes).code.definitions.flatMap((definition) => {
    // An imported type refers to a type of another import.
    if (definition.kind !== 'import' || definition.extern.sort === 'type') return []
    const { name, extern } = definition
    return [{ name, offered: extern.sort === 'instance' && isOffered(name) }]
  })
}

/** As `package:name/interface@version`. */
export interface ComponentInterfaces {
  imports: string[]
  exports: string[]
}

/**
 * The interfaces that a built component imports and exports.
 *
 * @throws {BinaryError} when the bytes are not a component, or use a feature this host does not support.
 */
export function componentInterfaces(bytes: Uint8Array): ComponentInterfaces {
  const { definitions } = readComponent(bytes).code
  const imports: string[] = []
  const exports: string[] = []
  for (const definition of definitions) {
    if (definition.kind === 'export') exports.push(definition.name)
    // An imported type refers to a type of another import.
    if (definition.kind === 'import' && definition.extern.sort !== 'type') {
      imports.push(definition.name)
    }
  }
  return { imports, exports }
}
