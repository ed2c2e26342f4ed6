/** What a component needs, and whether the fast way would run it as it is meant. */
import { isOffered } from '../instance/interfaces.ts'
import { BinaryError } from '../prepare/binary.ts'
import type { ComponentCode, Definition, ReadComponent } from './code.ts'

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

/** Instances of components and core modules that one request may make. */
export const MAX_INSTANCES = 1000

/**
 * The core modules with a memory of their own, each as often as one instance of the component has it.
 *
 * @param hasMemory of each of the component's core modules.
 */
export function memoryOwners(
  { definitions }: ComponentCode,
  hasMemory: readonly boolean[],
  outer?: Spaces,
  budget = { instances: MAX_INSTANCES },
): number[] {
  const spaces: Spaces = { modules: [], components: [], outer }
  const owners: number[] = []
  for (const definition of definitions) {
    const instantiates = definition.kind === 'core instance' || definition.kind === 'instance'
    if (instantiates && --budget.instances < 0) {
      throw new BinaryError(`has more than ${MAX_INSTANCES} instances`)
    }
    if (definition.kind === 'core instance') {
      const module = spaces.modules[definition.module]
      if (module !== undefined && hasMemory[module]) owners.push(module)
    } else if (definition.kind === 'instance') {
      const component = spaces.components[definition.component]
      if (component) {
        owners.push(...memoryOwners(component.code, hasMemory, component.spaces, budget))
      }
    } else define(spaces, definition)
  }
  return owners
}

interface Spaces {
  modules: (number | undefined)[]
  components: ({ code: ComponentCode; spaces: Spaces } | undefined)[]
  outer: Spaces | undefined
}

function define(spaces: Spaces, definition: Definition): void {
  const { modules, components } = spaces
  if (definition.kind === 'core module') modules.push(definition.module)
  else if (definition.kind === 'component') components.push({ code: definition.code, spaces })
  else if (definition.kind === 'alias outer') {
    let from: Spaces | undefined = spaces
    for (let left = definition.count; left > 0; left--) from = from?.outer
    if (definition.sort === 'core module') modules.push(from?.modules[definition.index])
    if (definition.sort === 'component') components.push(from?.components[definition.index])
  } else if (definition.kind === 'alias export' || definition.kind === 'import') {
    const sort = definition.kind === 'import' ? definition.extern.sort : definition.sort
    // Modules and components that travel through instances would escape the count.
    if (sort === 'core module' || sort === 'component') {
      throw new BinaryError(`hands a ${sort} around, which this host cannot follow`)
    }
  } else if (definition.kind === 'export') {
    const { sort, index } = definition.of
    if (sort === 'core module') modules.push(modules[index])
    if (sort === 'component') components.push(components[index])
  }
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
