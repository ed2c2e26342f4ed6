/**
 * A component while it is linked: its index spaces, and the instances they hold.
 *
 * @module
 */
import { Trap } from '../instance/trap.ts'
import type { Declaration, Sort } from './code.ts'
import { declaredTypes, HOST_RESOURCE, type TypeEntry, type TypeSpace } from './types.ts'

export class Scope implements TypeSpace {
  readonly types: TypeEntry[] = []
  readonly #outer: Scope | undefined
  readonly #spaces: Record<Sort, unknown[]> = {
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

  add(sort: Sort, value: unknown): void {
    this.#spaces[sort].push(value)
  }

  /** @typeParam T what the format promises to be there. */
  get<T>(sort: Sort, index: number): T {
    const space = this.#spaces[sort]
    if (index >= space.length) throw new Trap(`there is no ${sort} ${index}`)
    return space[index] as T
  }

  /** The component `count` levels around this one. */
  outwards(count: number): Scope {
    if (count === 0) return this
    if (this.#outer) return this.#outer.outwards(count - 1)
    throw new Trap('an alias of something outside every component')
  }
}

/** What an instance exports. */
export interface InstanceValue {
  get(name: string, sort: Sort): unknown
}

export class Exports implements InstanceValue {
  readonly #entries = new Map<string, { sort: Sort; value: unknown }>()

  set(name: string, sort: Sort, value: unknown): void {
    this.#entries.set(name, { sort, value })
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  get(name: string, sort: Sort): unknown {
    const entry = this.#entries.get(name)
    if (entry?.sort === sort) return entry.value
    throw new Trap(`there is no ${sort} "${name}"`)
  }

  toObject(): WebAssembly.ModuleImports {
    return Object.fromEntries(
      [...this.#entries].map(([name, { value }]) => [name, value as WebAssembly.ImportValue]),
    )
  }
}

export class HostFunction {
  /** The interface, with its version. */
  readonly from: string
  readonly name: string

  constructor(from: string, name: string) {
    this.from = from
    this.name = name
  }
}

/** An interface of the host's. */
export class HostInstance implements InstanceValue {
  readonly #name: string
  readonly #declarations: readonly Declaration[]
  readonly #outer: TypeSpace
  #types: Map<string, TypeEntry> | undefined

  constructor(name: string, declarations: readonly Declaration[], outer: TypeSpace) {
    this.#name = name
    this.#declarations = declarations
    this.#outer = outer
  }

  get(name: string, sort: Sort): HostFunction | TypeEntry {
    if (sort === 'function') return new HostFunction(this.#name, name)
    if (sort !== 'type') throw new Trap(`${this.#name} has no ${sort} "${name}"`)
    this.#types ??= declaredTypes(this.#declarations, this.#outer)
    return this.#types.get(name) ?? HOST_RESOURCE
  }
}
