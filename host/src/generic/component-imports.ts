import { isOffered } from '../instance/interfaces.ts'
import { readComponent } from './read-component.ts'

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
