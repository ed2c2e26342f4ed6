/**
 * Bringing a component to life: the component model's own linking, for one request.
 *
 * A host function is the same as on the fast way; what stands between it and the component's core modules is
 * only which memory its arguments lie in.
 *
 * @module
 */
import type { Guest } from '../instance/guest.ts'
import { hostFunctions } from '../instance/imports.ts'
import type { ImportFunction } from '../instance/jspi.ts'
import type { Realloc } from '../instance/memory.ts'
import type { Preview1 } from '../instance/preview1.ts'
import { Trap } from '../instance/trap.ts'
import { adapter, type CallMemory, LiftedFunction } from './adapter.ts'
import type { CanonicalOptions, ComponentCode, Definition, Sort, TypeCode } from './code.ts'
import { dropResource, newResource, representation } from './resources.ts'
import { Exports, HostFunction, HostInstance, type InstanceValue, Scope } from './scope.ts'
import { DefinedType, GuestResourceType, type ResourceType, type TypeEntry } from './types.ts'

export interface LinkOptions {
  modules: readonly WebAssembly.Module[]
  guest: Guest
  preview1: Preview1
}

export interface Linked {
  exports: InstanceValue
  /** Those the component's core modules show each other. */
  memories: ReadonlySet<WebAssembly.Memory>
}

/** @throws {Trap} WebAssembly's errors, when the parts do not fit. */
export function link(code: ComponentCode, options: LinkOptions): Linked {
  const linker = new Linker(options)
  return { exports: linker.instantiate(code, undefined, undefined), memories: linker.memories }
}

interface ComponentValue {
  code: ComponentCode
  scope: Scope
}

class Linker {
  readonly memories = new Set<WebAssembly.Memory>()
  readonly #modules: readonly WebAssembly.Module[]
  readonly #guest: Guest
  readonly #hostFunction: ReturnType<typeof hostFunctions>

  constructor({ modules, guest, preview1 }: LinkOptions) {
    this.#modules = modules
    this.#guest = guest
    this.#hostFunction = hostFunctions(guest, preview1)
  }

  /** @param args what a component gets for its imports; the outermost one imports from the host. */
  instantiate(
    code: ComponentCode,
    outer: Scope | undefined,
    args: Exports | undefined,
  ): InstanceValue {
    const scope = new Scope(outer)
    const exports = new Exports()
    for (const definition of code.definitions) this.#define(scope, definition, exports, args)
    return exports
  }

  #define(scope: Scope, definition: Definition, exports: Exports, args: Exports | undefined): void {
    switch (definition.kind) {
      case 'core module':
        return scope.add('core module', this.#modules[definition.module])
      case 'core instance':
        return scope.add('core instance', this.#instantiateCore(scope, definition))
      case 'core exports':
      case 'exports': {
        const group = new Exports()
        for (const { name, sort, index } of definition.exports) {
          group.set(name, sort, scope.get(sort, index))
        }
        if (definition.kind === 'exports') return scope.add('instance', group)
        return scope.add('core instance', group.toObject())
      }
      case 'core type':
        return scope.add('core type', undefined)
      case 'component':
        return scope.add('component', { code: definition.code, scope })
      case 'instance': {
        const given = new Exports()
        for (const { name, sort, index } of definition.args) {
          given.set(name, sort, scope.get(sort, index))
        }
        const component = scope.get<ComponentValue>('component', definition.component)
        return scope.add('instance', this.instantiate(component.code, component.scope, given))
      }
      case 'alias export': {
        const instance = scope.get<InstanceValue>('instance', definition.instance)
        return scope.add(definition.sort, instance.get(definition.name, definition.sort))
      }
      case 'alias core export':
        return scope.add(
          definition.sort,
          scope.get<WebAssembly.Exports>('core instance', definition.instance)[definition.name],
        )
      case 'alias outer': {
        const from = scope.outwards(definition.count)
        return scope.add(definition.sort, from.get(definition.sort, definition.index))
      }
      case 'type':
        return scope.add('type', this.#type(scope, definition.type))
      case 'lift':
        return scope.add('function', this.#lift(scope, definition))
      case 'lower':
        return scope.add('core function', this.#lower(scope, definition))
      case 'resource.new':
      case 'resource.drop':
      case 'resource.rep': {
        const type = scope.get<ResourceType>('type', definition.type)
        return scope.add('core function', RESOURCE_FUNCTIONS[definition.kind](this.#guest, type))
      }
      case 'import':
        return this.#import(scope, definition, args)
      case 'export': {
        const { sort, index } = definition.of
        const value = scope.get(sort, index)
        exports.set(definition.name, sort, value)
        return scope.add(sort, value)
      }
    }
  }

  #instantiateCore(
    scope: Scope,
    { module, args }: Extract<Definition, { kind: 'core instance' }>,
  ): WebAssembly.Exports {
    const imports: WebAssembly.Imports = {}
    for (const { name, instance } of args) {
      imports[name] = scope.get<WebAssembly.ModuleImports>('core instance', instance)
    }
    const instance = new WebAssembly.Instance(scope.get('core module', module), imports)
    for (const value of Object.values(instance.exports)) {
      if (value instanceof WebAssembly.Memory) this.memories.add(value)
    }
    return instance.exports
  }

  #type(scope: Scope, code: TypeCode): TypeEntry {
    if (code.kind !== 'resource') return new DefinedType(code, scope)
    const destructor =
      code.destructor === undefined
        ? undefined
        : scope.get<(representation: number) => unknown>('core function', code.destructor)
    return new GuestResourceType(scope, destructor)
  }

  #lift(
    scope: Scope,
    { core, options, type }: Extract<Definition, { kind: 'lift' }>,
  ): LiftedFunction {
    const postReturn =
      options.postReturn === undefined
        ? undefined
        : scope.get<() => unknown>('core function', options.postReturn)
    return new LiftedFunction(scope.get('core function', core), scope.get('type', type), scope, {
      ...callMemory(scope, options),
      postReturn,
    })
  }

  #lower(
    scope: Scope,
    { function: index, options }: Extract<Definition, { kind: 'lower' }>,
  ): WebAssembly.ImportValue {
    const callee = scope.get<HostFunction | LiftedFunction>('function', index)
    const used = callMemory(scope, options)
    if (callee instanceof LiftedFunction) return adapter(this.#guest, callee, used)
    return this.#hostFunction(callee.from, callee.name, (call) => this.#through(used, call))
  }

  // One request's core modules call the host one at a time, so what was attached stays until the answer.
  #through({ memory, realloc = noAllocator }: CallMemory, call: ImportFunction): ImportFunction {
    if (memory === undefined) return call
    const guestMemory = this.#guest.memory
    return (...args) => {
      guestMemory.attach(memory, realloc)
      return call(...args)
    }
  }

  #import(
    scope: Scope,
    { name, extern }: Extract<Definition, { kind: 'import' }>,
    args: Exports | undefined,
  ): void {
    if (args?.has(name)) return scope.add(extern.sort, args.get(name, extern.sort))
    if (extern.sort === 'type' && extern.equals !== undefined) {
      return scope.add('type', scope.get('type', extern.equals))
    }
    if (args || extern.sort !== 'instance') throw new Trap(`nothing is there to import as ${name}`)
    const type = scope.get<DefinedType>('type', extern.type)
    const declarations = type.code.kind === 'instance' ? type.code.declarations : []
    scope.add('instance', new HostInstance(name, declarations, scope))
  }
}

const RESOURCE_FUNCTIONS = {
  'resource.new': newResource,
  'resource.drop': dropResource,
  'resource.rep': representation,
}

const noAllocator: Realloc = () => {
  throw new Trap('a value in memory, and no allocator')
}

function callMemory(scope: Scope, { memory, realloc }: CanonicalOptions): CallMemory {
  const at = <T>(sort: Sort, index: number | undefined) =>
    index === undefined ? undefined : scope.get<T>(sort, index)
  return {
    memory: at<WebAssembly.Memory>('core memory', memory),
    realloc: at<Realloc>('core function', realloc),
  }
}
