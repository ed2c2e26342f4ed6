/**
 * Calls from one component of a composition to another.
 *
 * @module
 */
import type { Realloc } from '../instance/memory.ts'
import type { Guest } from '../instance/guest.ts'
import { Borrowed } from '../instance/handles.ts'
import { jspi } from '../instance/jspi.ts'
import { Trap } from '../instance/trap.ts'
import { type FlatValue, liftFlat, lowerFlat } from './flat-values.ts'
import {
  alignmentOf,
  alignTo,
  flatten,
  MAX_FLAT_PARAMS,
  MAX_FLAT_RESULTS,
  sizeOf,
} from './layout.ts'
import { type DefinedType, GuestResourceType, type ResourceType, type ValueType } from './types.ts'
import { allocate, load, type Side, store, type Value } from './values.ts'

type CoreFunction = (...args: FlatValue[]) => unknown

/** Memory and allocator that the values of a call go through. */
export interface CallMemory {
  memory: WebAssembly.Memory | undefined
  realloc: Realloc | undefined
}

/** A function a component made of one of its core functions. */
export class LiftedFunction {
  readonly core: CoreFunction
  readonly type: DefinedType
  /** The component's instance. */
  readonly owner: object
  readonly options: CallMemory & { postReturn: CoreFunction | undefined }

  constructor(
    core: CoreFunction,
    type: DefinedType,
    owner: object,
    options: CallMemory & { postReturn: CoreFunction | undefined },
  ) {
    this.core = core
    this.type = type
    this.owner = owner
    this.options = options
  }
}

/** An entry of the handle table that a component made itself. */
export class GuestResource {
  readonly type: GuestResourceType
  readonly representation: number

  constructor(type: GuestResourceType, representation: number) {
    this.type = type
    this.representation = representation
  }
}

/**
 * A core function for the caller's side that calls `callee`.
 *
 * All components of a composition share one table of handles, so an owned one goes over as the number it is.
 * The call always suspends the caller: the callee runs on a stack of its own, on which it may wait.
 */
export function adapter(
  guest: Guest,
  callee: LiftedFunction,
  memory: CallMemory,
): WebAssembly.ImportValue {
  const { Suspending } = jspi()
  const { params, result } = callee.type.function()
  const { options, owner } = callee
  const caller: Side = { ...memory, borrow: (handle) => handle }
  const called: Side = {
    memory: options.memory,
    realloc: options.realloc,
    borrow: (handle, resource) => lend(guest, owner, handle, resource),
  }
  const start = startOf(callee.core)
  const flatResults = result ? flatten(result).length : 0

  return new Suspending(async (...flat: FlatValue[]) => {
    const returnAt = flatResults > MAX_FLAT_RESULTS ? Number(flat.pop()) >>> 0 : 0
    const values = takeParams(caller, flat, params)
    const returned = (await start(...(giveParams(called, params, values) as number[]))) as FlatValue
    let answer: FlatValue | undefined
    if (result) {
      const value =
        flatResults > MAX_FLAT_RESULTS
          ? load(called, Number(returned) >>> 0, result)
          : liftFlat(called, flatResults === 0 ? [] : [returned], result)
      if (flatResults > MAX_FLAT_RESULTS) store(caller, returnAt, result, value)
      else answer = lowerFlat(caller, result, value)[0]
    }
    options.postReturn?.(...(flatResults === 0 ? [] : [returned]))
    return answer
  })
}

/** A component may export one of the canonical functions as it is; that one is ours and does not wait. */
function startOf(core: CoreFunction): (...args: number[]) => Promise<unknown> {
  const { promising } = jspi()
  try {
    return promising(core)
  } catch {
    return async (...args) => core(...args)
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

/** The component that defines a resource sees what the handle stands for, every other one a handle of its own. */
function lend(guest: Guest, to: object, handle: number, type: ResourceType): number {
  const resource = guest.handles.get(handle, Object)
  const lent = resource instanceof Borrowed ? resource.of : resource
  if (!(type instanceof GuestResourceType)) return guest.handles.add(new Borrowed(lent))
  if (!(lent instanceof GuestResource) || lent.type !== type) {
    throw new Trap(`handle ${handle} is of another resource`)
  }
  return type.owner === to ? lent.representation : guest.handles.add(new Borrowed(lent))
}
