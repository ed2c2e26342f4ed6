import { isOffered } from '../instance/interfaces.ts'
import { readComponent } from './read-component.ts'

/** An interface a component needs of its host. */
export interface ComponentImport {
  /** With its version, as the component writes it. */
  name: string
  /** Whether this host has it, and so every platform of Spin that runs `wasi:http` components. */
  offered: boolean
}

/**
 * What a built component demands of whoever runs it: without one of them it cannot be loaded.
 *
 * @throws {Error} when the bytes are no component.
 */
export function componentImports(bytes: Uint8Array): ComponentImport[] {
  return readComponent(bytes).code.definitions.flatMap((definition) => {
    // A type that is imported names one that another import brings.
    if (definition.kind !== 'import' || definition.extern.sort === 'type') return []
    const { name, extern } = definition
    return [{ name, offered: extern.sort === 'instance' && isOffered(name) }]
  })
}
