/**
 * Taking values out of one component's memory and putting them into another's.
 *
 * Between the two a value is: a bigint for 64 bits, bytes for a string and a list of bytes, an array for a
 * record and any other list, {@link VariantValue}, {@link Carried} for a handle, and a number for the rest.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md
 */
import type { Realloc } from '../instance/memory.ts'
import { Trap } from '../instance/trap.ts'
import { alignmentOf, alignTo, flagsSize, payloadOffset, sizeOf, tagSize } from './layout.ts'
import type { ResourceType, ValueType } from './types.ts'

export interface VariantValue {
  tag: number
  payload: Value | undefined
}

/** A resource between two components; neither of them has a handle of it. */
export interface Carried {
  resource: object
}

export type Value = number | bigint | Uint8Array | Value[] | VariantValue | Carried

/** What is known of one side of a call. */
export interface Side {
  memory: WebAssembly.Memory | undefined
  realloc: Realloc | undefined
  /** Takes what a handle of this side stands for out of its table. */
  take(handle: number, type: ResourceType): Carried
  /** Reads what a handle of this side stands for. */
  look(handle: number, type: ResourceType): Carried
  /** Makes a handle of this side. */
  give(carried: Carried, type: ResourceType): number
  /** Makes a handle of this side for the length of the call. */
  lend(carried: Carried, type: ResourceType): number
}

function view({ memory }: Side): DataView {
  if (memory) return new DataView(memory.buffer)
  throw new Trap('a value in memory, and no memory')
}

function bytesAt({ memory }: Side, at: number, size: number): Uint8Array {
  const buffer = memory?.buffer ?? new ArrayBuffer(0)
  if (at + size > buffer.byteLength) throw new Trap('pointer out of bounds')
  return new Uint8Array(buffer, at, size)
}

/** Room for a value in `side`'s memory. */
export function allocate(side: Side, size: number, alignment: number): number {
  if (!side.realloc) throw new Trap('a value in memory, and no allocator')
  const at = side.realloc(0, 0, alignment, size) >>> 0
  bytesAt(side, at, size)
  return at
}

export function load(side: Side, at: number, type: ValueType): Value {
  switch (type.kind) {
    case 'bool':
      return view(side).getUint8(at) === 0 ? 0 : 1
    case 'u8':
      return view(side).getUint8(at)
    case 's8':
      return view(side).getInt8(at)
    case 'u16':
      return view(side).getUint16(at, true)
    case 's16':
      return view(side).getInt16(at, true)
    case 's64':
    case 'u64':
      return view(side).getBigInt64(at, true)
    case 'f32':
      return view(side).getFloat32(at, true)
    case 'f64':
      return view(side).getFloat64(at, true)
    case 'flags':
      return loadUnsigned(side, at, flagsSize(type.count))
    case 'string':
    case 'list':
      return loadList(
        side,
        type,
        view(side).getUint32(at, true),
        view(side).getUint32(at + 4, true),
      )
    case 'record': {
      let next = at
      return type.fields.map((field) => {
        const here = alignTo(next, alignmentOf(field))
        next = here + sizeOf(field)
        return load(side, here, field)
      })
    }
    case 'variant': {
      const tag = loadUnsigned(side, at, tagSize(type.cases.length))
      const payload = payloadType(type.cases, tag)
      if (payload === undefined) return { tag, payload }
      return { tag, payload: load(side, at + payloadOffset(type.cases), payload) }
    }
    case 'own':
      return side.take(view(side).getUint32(at, true), type.resource)
    case 'borrow':
      return side.look(view(side).getUint32(at, true), type.resource)
    default:
      return view(side).getInt32(at, true)
  }
}

export function store(side: Side, at: number, type: ValueType, value: Value): void {
  switch (type.kind) {
    case 'bool':
    case 'u8':
    case 's8':
      return view(side).setUint8(at, value as number)
    case 'u16':
    case 's16':
      return view(side).setUint16(at, value as number, true)
    case 's64':
    case 'u64':
      return view(side).setBigInt64(at, value as bigint, true)
    case 'f32':
      return view(side).setFloat32(at, value as number, true)
    case 'f64':
      return view(side).setFloat64(at, value as number, true)
    case 'flags':
      return storeUnsigned(side, at, flagsSize(type.count), value as number)
    case 'string':
    case 'list': {
      const [to, count] = storeList(side, type, value as Value[] | Uint8Array)
      view(side).setUint32(at, to, true)
      return view(side).setUint32(at + 4, count, true)
    }
    case 'record': {
      let next = at
      for (const [i, field] of type.fields.entries()) {
        const here = alignTo(next, alignmentOf(field))
        next = here + sizeOf(field)
        store(side, here, field, (value as Value[])[i] as Value)
      }
      return
    }
    case 'variant': {
      const { tag, payload } = value as VariantValue
      storeUnsigned(side, at, tagSize(type.cases.length), tag)
      const inner = payloadType(type.cases, tag)
      if (inner) store(side, at + payloadOffset(type.cases), inner, payload as Value)
      return
    }
    case 'own':
      return view(side).setInt32(at, side.give(value as Carried, type.resource), true)
    case 'borrow':
      return view(side).setInt32(at, side.lend(value as Carried, type.resource), true)
    default:
      return view(side).setInt32(at, value as number, true)
  }
}

/** @throws {Trap} when there is no such case. */
export function payloadType(
  cases: readonly (ValueType | undefined)[],
  tag: number,
): ValueType | undefined {
  if (tag >= cases.length) throw new Trap('a variant without such a case')
  return cases[tag]
}

/** @param type a list or a string. */
export function loadList(side: Side, type: ValueType, at: number, count: number): Value {
  if (type.kind !== 'list' || type.element.kind === 'u8') return bytesAt(side, at, count).slice()
  const { element } = type
  const size = sizeOf(element)
  bytesAt(side, at, count * size)
  return Array.from({ length: count }, (_, i) => load(side, at + i * size, element))
}

export function storeList(
  side: Side,
  type: ValueType,
  value: Value[] | Uint8Array,
): [at: number, count: number] {
  if (type.kind !== 'list' || value instanceof Uint8Array) {
    const at = allocate(side, value.length, 1)
    bytesAt(side, at, value.length).set(value as Uint8Array)
    return [at, value.length]
  }
  const { element } = type
  const size = sizeOf(element)
  const at = allocate(side, value.length * size, alignmentOf(element))
  for (const [i, item] of value.entries()) store(side, at + i * size, element, item)
  return [at, value.length]
}

function loadUnsigned(side: Side, at: number, size: 1 | 2 | 4): number {
  if (size === 1) return view(side).getUint8(at)
  return size === 2 ? view(side).getUint16(at, true) : view(side).getUint32(at, true)
}

function storeUnsigned(side: Side, at: number, size: 1 | 2 | 4, value: number): void {
  if (size === 1) view(side).setUint8(at, value)
  else if (size === 2) view(side).setUint16(at, value, true)
  else view(side).setUint32(at, value, true)
}
