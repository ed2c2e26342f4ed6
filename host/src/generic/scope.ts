/** A component instance while it is linked: its index spaces, and its handles. */
import { newHandleSpace } from '../instance/handles.ts'
import { Trap } from '../instance/trap.ts'
import type { Sort } from './code.ts'
import { type Entries, isEntry } from './entries.ts'
import type { ComponentInstance, TypeEntry, TypeSpace } from './types.ts'

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
