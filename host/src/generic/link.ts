/**
 * Linking a component: the component model's own instantiation, for one request.
 *
 * A component file decides what is defined, under which names and in which order. This module checks all of it, also what the
 * validator has checked before. It calls the same host functions as the fast path, and adds the memory of their
 * arguments and the owner of their handles.
 */
import type { Guest } from '../instance/guest.ts'
import { hostFunctions, withoutPrototype } from '../instance/imports.ts'
import type { ImportFunction } from '../instance/jspi.ts'
import type { Realloc } from '../instance/memory.ts'
import type { Preview1 } from '../instance/preview1.ts'
import { signatureOf } from '../instance/signatures.ts'
import { Trap } from '../instance/trap.ts'
import { adapter, type CallMemory, LiftedFunction } from './adapter.ts'
import {
  type CanonicalOptions,
  type ComponentCode,
  type Definition,
  MAX_INSTANCES,
  type NamedReference,
  type TypeCode,
} from './component-code.ts'
import {
  ComponentValue,
  CoreFunction,
  CoreInstance,
  type CoreItem,
  type CoreModule,
  CoreType,
  Exports,
  HostInstance,
  isEntry,
  Scope,
} from './index-spaces.ts'
import { coreSignature } from './flat-values.ts'
import { resourceFunction } from './resources.ts'
import { DefinedType, GuestResourceType, type TypeEntry } from './types.ts'

export interface LinkOptions {
  modules: readonly CoreModule[]
  guest: Guest
  preview1: Preview1
}

export interface Linked {
  exports: Exports
  /** Those the component's core modules export to each other. */
  memories: ReadonlySet<WebAssembly.Memory>
}

/** @throws {Trap} {@link BinaryError}, WebAssembly's errors, when the parts do not fit. */
export function link(code: ComponentCode, options: LinkOptions): Linked {
  const linker = new Linker(options)
  return { exports: linker.instantiate(code, undefined, undefined), memories: linker.memories }
}

class Linker {
  readonly memories = new Set<WebAssembly.Memory>()
  readonly #modules: readonly CoreModule[]
  readonly #guest: Guest
  readonly #hostFunction: ReturnType<typeof hostFunctions>
  #instances = 0

  constructor({ modules, guest, preview1 }: LinkOptions) {
    this.#modules = modules
    this.#guest = guest
    this.#hostFunction = hostFunctions(guest, preview1)
  }

  /** @param args what a component gets for its imports; the outermost one imports from the host. */
  instantiate(code: ComponentCode, outer: Scope | undefined, args: Exports | undefined): Exports {
    this.#countInstance()
    const scope = new Scope(outer)
    const exports = new Exports()
    for (const definition of code.definitions) this.#define(scope, definition, exports, args)
    return exports
  }

  #countInstance(): void {
    if (++this.#instances > MAX_INSTANCES) {
      throw new Trap(`the component has more than ${MAX_INSTANCES} instances`)
    }
  }

  #define(scope: Scope, definition: Definition, exports: Exports, args: Exports | undefined): void {
    switch (definition.kind) {
      case 'core module':
        return scope.add('core module', this.#modules[definition.module] as CoreModule)
      case 'core instance':
        return scope.add('core instance', this.#instantiateCore(scope, definition))
      case 'core exports': {
        const group = new CoreInstance()
        for (const { name, sort, index } of definition.exports) {
          group.set(name, asCoreItem(scope.get(sort, index)))
        }
        return scope.add('core instance', group)
      }
      case 'exports':
        return scope.add('instance', groupOf(scope, definition.exports))
      case 'core type':
        return scope.add('core type', new CoreType())
      case 'component':
        return scope.add('component', new ComponentValue(definition.code, scope))
      case 'instance': {
        const component = scope.get('component', definition.component)
        const given = groupOf(scope, definition.args)
        return scope.add('instance', this.instantiate(component.code, component.scope, given))
      }
      case 'alias export': {
        const instance = scope.get('instance', definition.instance)
        return scope.add(definition.sort, instance.get(definition.name, definition.sort))
      }
      case 'alias core export': {
        const instance = scope.get('core instance', definition.instance)
        return scope.add(definition.sort, instance.get(definition.name, definition.sort))
      }
      case 'alias outer': {
        const { sort, count, index } = definition
        if (!MAY_CROSS.has(sort)) throw new Trap(`an alias of a ${sort} of another component`)
        return scope.add(sort, scope.outwards(count).get(sort, index))
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
        const type = scope.get('type', definition.type)
        return scope.add(
          'core function',
          resourceFunction(definition.kind, this.#guest, scope, type),
        )
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
    { module: index, args }: Extract<Definition, { kind: 'core instance' }>,
  ): CoreInstance {
    this.#countInstance()
    const { module, shape } = scope.get('core module', index)
    const given = new Map<string, CoreInstance>()
    for (const { name, instance } of args) {
      if (given.has(name)) throw new Trap(`"${name}" is given twice`)
      given.set(name, scope.get('core instance', instance))
    }
    const imports = withoutPrototype<WebAssembly.ModuleImports>()
    for (const { from, name, kind, signature } of shape.imports) {
      const item = given.get(from)?.get(name, `core ${kind}`)
      if (!item) throw new Trap(`there is no instance "${from}" to import "${name}" from`)
      if (item instanceof CoreFunction) checkSignature(item, signature, `"${name}" of ${from}`)
      const group = (imports[from] ??= withoutPrototype<WebAssembly.ImportValue>())
      group[name] = item instanceof CoreFunction ? item.value : item
    }
    const { exports } = new WebAssembly.Instance(module, imports)
    const instance = new CoreInstance()
    for (const { name, kind, signature } of shape.exports) {
      const value = Object.hasOwn(exports, name) ? exports[name] : undefined
      const item = typeof value === 'function' ? new CoreFunction(value, signature) : value
      if (!isEntry(`core ${kind}`, item)) throw new Trap(`there is no core ${kind} "${name}"`)
      instance.set(name, item)
      if (item instanceof WebAssembly.Memory) this.memories.add(item)
    }
    return instance
  }

  #type(scope: Scope, code: TypeCode): TypeEntry {
    if (code.kind !== 'resource') return new DefinedType(code, scope)
    const { destructor } = code
    return new GuestResourceType(
      scope,
      destructor === undefined ? undefined : scope.get('core function', destructor),
    )
  }

  #lift(
    scope: Scope,
    { core, options, type }: Extract<Definition, { kind: 'lift' }>,
  ): LiftedFunction {
    const { postReturn } = options
    const defined = scope.get('type', type)
    if (!(defined instanceof DefinedType)) throw new Trap('lifts a function of no function type')
    return new LiftedFunction(scope.get('core function', core), defined, scope, {
      ...callMemory(scope, options),
      postReturn: postReturn === undefined ? undefined : scope.get('core function', postReturn),
    })
  }

  #lower(
    scope: Scope,
    { function: index, options }: Extract<Definition, { kind: 'lower' }>,
  ): CoreFunction {
    const callee = scope.get('function', index)
    const used = callMemory(scope, options)
    if (callee instanceof LiftedFunction) {
      const { params, result } = callee.type.function()
      const signature = coreSignature(params, result, 'lower')
      return new CoreFunction(adapter(this.#guest, scope, callee, used), signature)
    }
    const { from, name } = callee
    const value = this.#hostFunction(from, name, (call) => this.#through(scope, used, call))
    return new CoreFunction(value, signatureOf(from, name))
  }

  // One request's core modules call the host one at a time, so what is set here stays until the answer.
  #through(
    scope: Scope,
    { memory = NO_MEMORY, realloc = noAllocator }: CallMemory,
    call: ImportFunction,
  ): ImportFunction {
    const { memory: guestMemory, handles } = this.#guest
    return (...args) => {
      if (guestMemory.allocating) throw new Trap('an allocator called the host')
      guestMemory.attach(memory, realloc)
      handles.use(scope.handles)
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
    if (args || extern.sort !== 'instance') throw new Trap(`there is nothing to import as ${name}`)
    const type = scope.get('type', extern.type)
    if (!(type instanceof DefinedType) || type.code.kind !== 'instance') {
      throw new Trap(`imports ${name} as an instance of no instance type`)
    }
    scope.add('instance', new HostInstance(name, type.code.declarations, scope))
  }
}

/** What a component may use of those around it: nothing that has state. */
const MAY_CROSS: ReadonlySet<string> = new Set(['type', 'component', 'core type', 'core module'])

/** Of a host function that was lowered without a memory: every address is outside of it. */
const NO_MEMORY = new WebAssembly.Memory({ initial: 0, maximum: 0 })

const noAllocator: Realloc = () => {
  throw new Trap('a value in memory, and no allocator')
}

function groupOf(scope: Scope, references: readonly NamedReference[]): Exports {
  const group = new Exports()
  for (const { name, sort, index } of references) group.set(name, sort, scope.get(sort, index))
  return group
}

function asCoreItem(value: unknown): CoreItem {
  for (const sort of CORE_ITEMS) if (isEntry(sort, value)) return value
  throw new Trap('a core instance of something else than functions, tables, memories and globals')
}

const CORE_ITEMS = ['core function', 'core table', 'core memory', 'core global'] as const

/** An engine checks the types of its own functions only; those of the host take what they get. */
function checkSignature(item: CoreFunction, wanted: string | undefined, what: string): void {
  if (item.signature === undefined || item.signature === wanted) return
  throw new Trap(`${what} is imported as ${wanted}, and its type is ${item.signature}`)
}

function callMemory(scope: Scope, { memory, realloc }: CanonicalOptions): CallMemory {
  return {
    memory: memory === undefined ? undefined : scope.get('core memory', memory),
    realloc:
      realloc === undefined
        ? undefined
        : (scope.get('core function', realloc).callable('iiii:i') as Realloc),
  }
}
