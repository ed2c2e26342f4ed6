/** A guest's handle table: numbers it holds, resources they stand for. */
import { Account } from './host-memory-account.ts'
import { Trap } from './trap.ts'

/**
 * What a handle stands for. A `dispose` lets go of what it holds: open files, the other end of a body. A `settle`
 * is called instead when the guest ended well and simply left the resource behind. A number `bytes` says what the
 * host holds for it besides the handle; see {@link HandleTable.resize}.
 */
export type Resource = object

/**
 * What a handle is charged: the largest kinds, messages and futures, take about so many bytes of the host's heap.
 *
 * So an instance has at most some 32,000 of them; Wasmtime has the same kind of limit (`max-resources`).
 */
export const HANDLE_BYTES = 1024

const bytesOf = (resource: Resource) =>
  HANDLE_BYTES + ((resource as { readonly bytes?: number }).bytes ?? 0)

function settle(resource: Resource): void {
  const { settle } = resource as { settle?: () => void }
  if (settle) settle.call(resource)
  else dispose(resource)
}

function dispose(resource: Resource): void {
  const { dispose } = resource as { dispose?: () => void }
  dispose?.call(resource)
}

export type Kind<T> = abstract new (...args: never[]) => T

/** A handle lent by one component to another for the length of a call. Dropping it gives it back. */
export class Borrowed {
  readonly of: Resource

  constructor(of: Resource) {
    this.of = of
  }
}

/** The handles of one component instance. */
export interface HandleSpace {
  readonly slots: (Resource | undefined)[]
  readonly free: number[]
}

export const newHandleSpace = (): HandleSpace => ({ slots: [undefined], free: [] })

export class HandleTable {
  #slots: (Resource | undefined)[] = [undefined]
  #free: number[] = []
  /** Those of a composition, where each component instance has one. */
  readonly #spaces = new Set<HandleSpace>()
  readonly #account: Account

  constructor(account: Account = new Account()) {
    this.#account = account
  }

  /** Goes on with the handles of another component instance, the one that calls the host. */
  use(space: HandleSpace): void {
    this.#spaces.add(space)
    this.#slots = space.slots
    this.#free = space.free
  }

  /** Whether there is room for a handle of this resource. */
  fits(resource: Resource): boolean {
    return this.#account.has(bytesOf(resource))
  }

  /** @throws {Trap} when the host holds too much for the guest. */
  add(resource: Resource): number {
    this.#account.charge(bytesOf(resource), 'handles')
    const handle = this.#free.pop() ?? this.#slots.length
    this.#slots[handle] = resource
    return handle
  }

  /** A resource in the table takes more or fewer bytes than before. @throws {Trap} when they are too many. */
  resize(resource: { bytes: number }, bytes: number, what: string): void {
    this.#account.charge(bytes - resource.bytes, what)
    resource.bytes = bytes
  }

  /** @throws {Trap} when the guest has no such handle, or it is of another kind. */
  get<T extends Resource>(handle: number, kind: Kind<T>): T {
    const resource = this.#slots[handle]
    if (resource instanceof kind) return resource
    if (resource instanceof Borrowed && resource.of instanceof kind) return resource.of
    throw new Trap(`handle ${handle} is not a ${kind.name}`)
  }

  /** Moves the resource out of the table: the guest gave it away. */
  take<T extends Resource>(handle: number, kind: Kind<T>): T {
    const resource = this.get(handle, kind)
    if (this.#slots[handle] !== resource) throw new Trap('gave away a borrowed handle')
    this.#slots[handle] = undefined
    this.#free.push(handle)
    this.#account.release(bytesOf(resource))
    return resource
  }

  isLent(handle: number): boolean {
    return this.#slots[handle] instanceof Borrowed
  }

  drop<T extends Resource>(handle: number, kind: Kind<T>): void {
    dispose(this.isLent(handle) ? this.take(handle, Borrowed) : this.take(handle, kind))
  }

  /**
   * Drops everything: the request is over.
   *
   * @param endedWell the guest returned, so what it left behind is let go as Spin does when it drops an instance.
   */
  clear({ endedWell = false } = {}): void {
    const slots = [this.#slots, ...[...this.#spaces].map((space) => space.slots)]
    this.#slots = [undefined]
    this.#free = []
    this.#spaces.clear()
    for (const space of new Set(slots)) {
      for (const resource of space) {
        if (resource === undefined) continue
        this.#account.release(bytesOf(resource))
        if (endedWell) settle(resource)
        else dispose(resource)
      }
    }
  }
}
