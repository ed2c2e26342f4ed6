/** Calls from one component of a composition to another. */
import type { Realloc } from '../instance/memory.ts'
import type { Guest } from '../instance/guest.ts'
import { Borrowed } from '../instance/handles.ts'
import { jspi } from '../instance/jspi.ts'
import { Trap } from '../instance/trap.ts'
import type { CoreFunction } from './index-spaces.ts'
import {
  coreSignature,
  flatten,
  type FlatValue,
  liftFlat,
  lowerFlat,
  MAX_FLAT_PARAMS,
  MAX_FLAT_RESULTS,
} from './flat-values.ts'
import { alignmentOf, alignTo, sizeOf } from './layout.ts'
import {
  type ComponentInstance,
  type DefinedType,
  GuestResourceType,
  type ResourceType,
  type ValueType,
} from './types.ts'
import { allocate, type Carried, load, type Side, store, type Value } from './values.ts'

/** Memory and allocator that the values of a call go through. */
export interface CallMemory {
  memory: WebAssembly.Memory | undefined
  realloc: Realloc | undefined
}

/** A function a component made of one of its core functions. */
export class LiftedFunction {
  readonly core: CoreFunction
  readonly type: DefinedType
  readonly owner: ComponentInstance
  readonly options: CallMemory & { postReturn: CoreFunction | undefined }

  constructor(
    core: CoreFunction,
    type: DefinedType,
    owner: ComponentInstance,
    options: CallMemory & { postReturn: CoreFunction | undefined },
  ) {
    this.core = core
    this.type = type
    this.owner = owner
    this.options = options
  }
}

/** An entry of a handle table that a component made itself. */
export class GuestResource {
  readonly type: GuestResourceType
  readonly representation: number

  constructor(type: GuestResourceType, representation: number) {
    this.type = type
    this.representation = representation
  }
}

/**
 * A core function for the side of `caller` that calls `callee`.
 *
 * A handle is a number of one component instance: it is looked up in the caller's table and entered into the
 * callee's. The call always suspends the caller: the callee runs on its own stack, on which it may wait.
 */
export function adapter(
  guest: Guest,
  caller: ComponentInstance,
  callee: LiftedFunction,
  memory: CallMemory,
): WebAssembly.ImportValue {
  const { Suspending } = jspi()
  const { params, result } = callee.type.function()
  const { options, owner } = callee
  const flatResults = result ? flatten(result).length : 0
  const start = startOf(callee.core, coreSignature(params, result, 'lift'))
  const release = options.postReturn?.callable(postReturnSignature(result))

  return new Suspending(async (...flat: FlatValue[]) => {
    if (owner.entered) throw new Trap('a component was called while one of its calls was running')
    owner.entered = true
    const handover = new Handover(guest)
    const from = handover.side(caller, memory)
    const to = handover.side(owner, options)
    try {
      const returnAt = flatResults > MAX_FLAT_RESULTS ? Number(flat.pop()) >>> 0 : 0
      const values = takeParams(from, flat, params)
      const returned = (await start(...(giveParams(to, params, values) as number[]))) as FlatValue
      handover.endLoans(owner)
      let answer: FlatValue | undefined
      if (result) {
        const value =
          flatResults > MAX_FLAT_RESULTS
            ? load(to, Number(returned) >>> 0, result)
            : liftFlat(to, flatResults === 0 ? [] : [returned], result)
        if (flatResults > MAX_FLAT_RESULTS) store(from, returnAt, result, value)
        else answer = lowerFlat(from, result, value)[0]
      }
      release?.(...(flatResults === 0 ? [] : [returned]))
      return answer
    } catch (error) {
      handover.abandon(caller)
      throw error
    } finally {
      owner.entered = false
    }
  })
}

const postReturnSignature = (result: ValueType | undefined) =>
  `${coreSignature([], result, 'lift').slice(1)}:`

/**
 * Lets `core` run on its own stack.
 *
 * A component may export one of the canonical functions as it is; that one is ours and does not wait.
 */
export function startOf(
  core: CoreFunction,
  signature: string,
): (...args: number[]) => Promise<unknown> {
  const { promising } = jspi()
  const call = core.callable(signature)
  try {
    return promising(call)
  } catch {
    return async (...args) => call(...args)
  }
}

const asRecord = (fields: ValueType[]): ValueType => ({ kind: 'record', fields })
const inMemory = (params: ValueType[]) => params.flatMap(flatten).length > MAX_FLAT_PARAMS

function takeParams(side: Side, flat: FlatValue[], params: ValueType[]): Value[] {
  if (!inMemory(params)) return params.map((param) => liftFlat(side, flat, param))
  return load(side, Number(flat[0]) >>> 0, asRecord(params)) as Value[]
}

function giveParams(side: Side, params: ValueType[], values: Value[]): FlatValue[] {
  const record = asRecord(params)
  if (!inMemory(params)) return lowerFlat(side, record, values)
  const alignment = alignmentOf(record)
  const at = allocate(side, alignTo(sizeOf(record), alignment), alignment)
  store(side, at, record, values)
  return [at]
}

/** The handles of one call on their way from one component instance to another. */
class Handover {
  readonly #guest: Guest
  /** Taken from one side and not yet given to the other. */
  readonly #owned = new Set<Carried>()
  readonly #loans: { handle: number; loan: Borrowed }[] = []

  constructor(guest: Guest) {
    this.#guest = guest
  }

  side(self: ComponentInstance, { memory, realloc }: CallMemory): Side {
    return {
      memory,
      realloc,
      take: (handle, type) => this.#take(self, handle, type),
      look: (handle, type) => ({ resource: this.#look(self, handle, type) }),
      give: (carried) => this.#give(self, carried),
      lend: ({ resource }, type) => this.#lend(self, resource, type),
    }
  }

  /** What was lent for the call must be dropped by its end. */
  endLoans(borrower: ComponentInstance): void {
    if (this.#loans.some(({ handle, loan }) => borrower.handles.slots[handle] === loan)) {
      throw new Trap('a component kept a borrowed handle')
    }
  }

  /** The call failed: what was on its way goes back, so that it is dropped with all else. */
  abandon(to: ComponentInstance): void {
    for (const carried of this.#owned) this.#give(to, carried)
  }

  #take({ handles: space }: ComponentInstance, handle: number, type: ResourceType): Carried {
    const { handles } = this.#guest
    handles.use(space)
    checkType(handles.get(handle, kindOf(type)), handle, type)
    const carried = { resource: handles.take(handle, kindOf(type)) }
    this.#owned.add(carried)
    return carried
  }

  #look({ handles: space }: ComponentInstance, handle: number, type: ResourceType): object {
    const { handles } = this.#guest
    handles.use(space)
    return checkType(handles.get(handle, kindOf(type)), handle, type)
  }

  #give({ handles: space }: ComponentInstance, carried: Carried): number {
    const { handles } = this.#guest
    handles.use(space)
    this.#owned.delete(carried)
    return handles.add(carried.resource)
  }

  /** The component that defines a resource sees what the handle stands for, every other one gets its own handle. */
  #lend(to: ComponentInstance, resource: object, type: ResourceType): number {
    if (type instanceof GuestResourceType && type.owner === to) {
      return resource instanceof GuestResource ? resource.representation : 0
    }
    const { handles } = this.#guest
    handles.use(to.handles)
    const loan = new Borrowed(resource)
    const handle = handles.add(loan)
    this.#loans.push({ handle, loan })
    return handle
  }
}

const kindOf = (type: ResourceType) =>
  type instanceof GuestResourceType ? GuestResource : type.kind

function checkType(resource: object, handle: number, type: ResourceType): object {
  if (!(type instanceof GuestResourceType)) return resource
  if (resource instanceof GuestResource && resource.type === type) return resource
  throw new Trap(`handle ${handle} is of another resource`)
}
