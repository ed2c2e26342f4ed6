/**
 * From a component that does not take the fast way to what {@link GenericInstance} runs.
 *
 * Nothing of it is kept on disk: reading takes milliseconds, and compiling is the rest.
 */
import { BinaryError } from '../wasm/binary.ts'
import { checkModule } from '../wasm/check-module.ts'
import { limitMemory } from '../wasm/limit-memory.ts'
import { limitTables, ownTables, tableShare } from '../wasm/limit-tables.ts'
import { ownMemory } from '../wasm/module-shape.ts'
import { PAGE_BYTES } from '../wasm/added-exports.ts'
import {
  type ComponentCode,
  type Definition,
  MAX_INSTANCES,
  type ReadComponent,
} from './component-code.ts'
import type { GenericProgram } from './generic-instance.ts'
import { checkImports, exportsHandler } from './inspect.ts'

export interface PrepareGenericOptions {
  component: ReadComponent
  /** Bytes all memories of an instance may take together. */
  memoryLimit: number
  /** Why it does not take the fast way. */
  reason: string
}

/**
 * @throws {BinaryError} when the component cannot be run.
 * @throws {WebAssembly.CompileError}
 */
export async function prepareGeneric({
  component: { code, modules },
  memoryLimit,
  reason,
}: PrepareGenericOptions): Promise<GenericProgram> {
  if (!exportsHandler(code)) throw new BinaryError('does not export wasi:http/incoming-handler@0.2')
  checkImports(code)
  const shapes = modules.map(checkModule)
  const own = modules.map(ownMemory)
  const owners = memoryOwners(
    code,
    own.map((memory) => memory !== undefined),
  )
  // Each gets what it needs to start, and an equal share of the rest.
  const needed = owners.reduce((sum, at) => sum + (own[at]?.minPages ?? 0) * PAGE_BYTES, 0)
  if (needed > memoryLimit) {
    const need = Math.ceil(needed / 1024 / 1024)
    throw new BinaryError(`needs ${need} MiB of memory to start, more than the limit`)
  }
  const share = (memoryLimit - needed) / Math.max(1, owners.length)
  const tables = modules.map(ownTables)
  const growth = tableShare(
    memoryOwners(
      code,
      tables.map(({ length }) => length > 0),
    ).flatMap((at) => tables[at] ?? []),
  )
  const compiled = await Promise.all(
    modules.map((original, i) => {
      const module = limitTables(original, growth)
      const memory = own[i]
      if (!memory) return WebAssembly.compile(new Uint8Array(module))
      const limited = limitMemory(module, memory.minPages * PAGE_BYTES + share)
      return WebAssembly.compile(limited as Uint8Array<ArrayBuffer>)
    }),
  )
  return { kind: 'generic', modules: compiled, shapes, code, reason }
}

/**
 * The core modules with a memory of their own, each as often as one instance of the component has it.
 *
 * @param hasMemory of each of the component's core modules.
 */
function memoryOwners(
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
