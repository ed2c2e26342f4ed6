/**
 * What the index spaces of a component hold: a class for each sort, so that one thing is never used as another.
 *
 * A component file decides under which names things are looked up. So nothing here is found by a property of a
 * JavaScript object that the object could have inherited.
 */
import { newHandleSpace } from '../instance/handles.ts'
import { Trap } from '../instance/trap.ts'
import type { CoreShape } from '../wasm/check-module.ts'
import { LiftedFunction } from './adapter.ts'
import type { ComponentCode, Declaration, Sort } from './component-code.ts'
import {
  type ComponentInstance,
  declaredTypes,
  DefinedType,
  GuestResourceType,
  HostResourceType,
  type TypeEntry,
  type TypeSpace,
} from './types.ts'

/** A function of a core module, or one of the host's that a core module can import. */
export class CoreFunction {
  /** Not callable where the caller has to be suspended: only a core module can import it then. */
  readonly value: WebAssembly.ImportValue
  /** See {@link signature}; `undefined` for a function that traps whatever it is called with. */
  readonly signature: string | undefined

  constructor(value: WebAssembly.ImportValue, signature: string | undefined) {
    this.value = value
    this.signature = signature
  }

  /** The function, to be called by the host. @throws {Trap} when it is of another type. */
  callable(signature: string): (...args: unknown[]) => unknown {
    if (typeof this.value === 'function' && this.signature === signature) {
      return this.value as (...args: unknown[]) => unknown
    }
    throw new Trap(`a function has the type ${this.signature} instead of ${signature}`)
  }
}

export class CoreModule {
  readonly module: WebAssembly.Module
  readonly shape: CoreShape

  constructor(module: WebAssembly.Module, shape: CoreShape) {
    this.module = module
    this.shape = shape
  }
}

/** Core types describe modules that are imported, which this host does not offer; only their number matters. */
export class CoreType {
  declare readonly sort: 'core type'
}

export type CoreItem = CoreFunction | WebAssembly.Table | WebAssembly.Memory | WebAssembly.Global

export class CoreInstance {
  readonly #items = new Map<string, CoreItem>()

  set(name: string, item: CoreItem): void {
    if (this.#items.has(name)) throw new Trap(`"${name}" is exported twice`)
    this.#items.set(name, item)
  }

  /** @throws {Trap} */
  get<S extends Sort>(name: string, sort: S): Entries[S] {
    const item = this.#items.get(name)
    if (isEntry(sort, item)) return item
    throw new Trap(`there is no ${sort} "${name}"`)
  }

  values(): Iterable<CoreItem> {
    return this.#items.values()
  }
}

export class ComponentValue {
  readonly code: ComponentCode
  /** Where it is defined. */
  readonly scope: Scope

  constructor(code: ComponentCode, scope: Scope) {
    this.code = code
    this.scope = scope
  }
}

class HostFunction {
  /** The interface, with its version. */
  readonly from: string
  readonly name: string

  constructor(from: string, name: string) {
    this.from = from
    this.name = name
  }
}

/** What a component or a group of definitions exports. */
export class Exports {
  readonly #entries = new Map<string, { sort: Sort; value: Entries[Sort] }>()

  set<S extends Sort>(name: string, sort: S, value: Entries[S]): void {
    if (this.#entries.has(name)) throw new Trap(`"${name}" is exported twice`)
    this.#entries.set(name, { sort, value })
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** @throws {Trap} */
  get<S extends Sort>(name: string, sort: S): Entries[S] {
    const value = this.#entries.get(name)?.value
    if (isEntry(sort, value)) return value
    throw new Trap(`there is no ${sort} "${name}"`)
  }
}

/** An interface of the host's. */
export class HostInstance {
  readonly #name: string
  readonly #declarations: readonly Declaration[]
  readonly #outer: Scope
  #types: Map<string, TypeEntry> | undefined

  constructor(name: string, declarations: readonly Declaration[], outer: Scope) {
    this.#name = name
    this.#declarations = declarations
    this.#outer = outer
  }

  /** @throws {Trap} */
  get<S extends Sort>(name: string, sort: S): Entries[S] {
    const entry =
      sort === 'function' ? new HostFunction(this.#name, name) : this.#typesByName().get(name)
    if (isEntry(sort, entry)) return entry
    throw new Trap(`${this.#name} has no ${sort} "${name}"`)
  }

  #typesByName(): Map<string, TypeEntry> {
    return (this.#types ??= declaredTypes(this.#name, this.#declarations, this.#outer))
  }
}

/** What an index of each sort refers to. */
export interface Entries {
  type: TypeEntry
  function: HostFunction | LiftedFunction
  component: ComponentValue
  instance: Exports | HostInstance
  'core function': CoreFunction
  'core table': WebAssembly.Table
  'core memory': WebAssembly.Memory
  'core global': WebAssembly.Global
  'core type': CoreType
  'core module': CoreModule
  'core instance': CoreInstance
}

const CLASSES: {
  readonly [S in Sort]: readonly (abstract new (...args: never[]) => Entries[S])[]
} = {
  type: [DefinedType, GuestResourceType, HostResourceType],
  function: [HostFunction, LiftedFunction],
  component: [ComponentValue],
  instance: [Exports, HostInstance],
  'core function': [CoreFunction],
  'core table': [WebAssembly.Table],
  'core memory': [WebAssembly.Memory],
  'core global': [WebAssembly.Global],
  'core type': [CoreType],
  'core module': [CoreModule],
  'core instance': [CoreInstance],
}

export function isEntry<S extends Sort>(sort: S, value: unknown): value is Entries[S] {
  return CLASSES[sort].some((each) => value instanceof each)
}

/** A component instance while it is linked: its index spaces, and its handles. */
export class Scope implements TypeSpace, ComponentInstance {
  readonly types: TypeEntry[] = []
  readonly handles = newHandleSpace()
  entered = false
  readonly #outer: Scope | undefined
  readonly #spaces: { readonly [S in Sort]: Entries[S][] } = {
    type: this.types,
    function: [],
    component: [],
    instance: [],
    'core function': [],
    'core table': [],
    'core memory': [],
    'core global': [],
    'core type': [],
    'core module': [],
    'core instance': [],
  }

  constructor(outer: Scope | undefined) {
    this.#outer = outer
  }

  /** @throws {Trap} when `entry` is of another sort. */
  add<S extends Sort>(sort: S, entry: Entries[S]): void {
    if (!isEntry(sort, entry)) throw new Trap(`something else was defined as a ${sort}`)
    this.#spaces[sort].push(entry)
  }

  /** @throws {Trap} */
  get<S extends Sort>(sort: S, index: number): Entries[S] {
    const entry = this.#spaces[sort][index]
    if (isEntry(sort, entry)) return entry
    throw new Trap(`there is no ${sort} ${index}`)
  }

  /** The component `count` levels around this one. */
  outwards(count: number): Scope {
    let scope: Scope | undefined = count === 0 ? this : this.#outer
    for (let left = count; left > 1 && scope; left--) scope = scope.#outer
    if (scope) return scope
    throw new Trap('an alias of something outside every component')
  }
}
