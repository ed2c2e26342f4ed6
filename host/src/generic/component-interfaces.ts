/**
 * What a component asks for and offers, by the names in its file.
 *
 * @module
 */
import { readComponent } from './read-component.ts'

/** As `package:name/interface@version`. */
export interface ComponentInterfaces {
  imports: string[]
  exports: string[]
}

/** @throws {BinaryError} when it is no component, or uses what this host does not know. */
export function componentInterfaces(bytes: Uint8Array): ComponentInterfaces {
  const { definitions } = readComponent(bytes).code
  const imports: string[] = []
  const exports: string[] = []
  for (const definition of definitions) {
    if (definition.kind === 'export') exports.push(definition.name)
    // A type that is imported names one that another import brings.
    if (definition.kind === 'import' && definition.extern.sort !== 'type') {
      imports.push(definition.name)
    }
  }
  return { imports, exports }
}
