/** Lists the interfaces that a component imports and exports. */
import { readComponent } from './read-component.ts'

/** As `package:name/interface@version`. */
export interface ComponentInterfaces {
  imports: string[]
  exports: string[]
}

/** @throws {BinaryError} when the bytes are not a component, or use a feature this host does not support. */
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
