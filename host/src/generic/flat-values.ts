/**
 * Values as parameters and results of core functions.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md
 */
import { Trap } from '../instance/trap.ts'
import type { ValueType } from './types.ts'
import {
  type Carried,
  loadList,
  payloadType,
  type Side,
  storeList,
  type Value,
  type VariantValue,
} from './values.ts'

export type FlatType = 'i32' | 'i64' | 'f32' | 'f64'

/** More parameters than this are passed in memory. */
export const MAX_FLAT_PARAMS = 16
/** More results than this are passed in memory. */
export const MAX_FLAT_RESULTS = 1

export function flatten(type: ValueType): FlatType[] {
  switch (type.kind) {
    case 'record':
      return type.fields.flatMap(flatten)
    case 'variant':
      return ['i32', ...joinCases(type.cases)]
    case 'string':
    case 'list':
      return ['i32', 'i32']
    case 's64':
    case 'u64':
      return ['i64']
    case 'f32':
    case 'f64':
      return [type.kind]
    default:
      return ['i32']
  }
}

/** Types wide enough for the payload of each case. */
function joinCases(cases: readonly (ValueType | undefined)[]): FlatType[] {
  const joined: FlatType[] = []
  for (const payload of cases) {
    if (payload === undefined) continue
    for (const [i, flat] of flatten(payload).entries()) {
      const other = joined[i]
      joined[i] = other === undefined ? flat : join(other, flat)
    }
  }
  return joined
}

function join(a: FlatType, b: FlatType): FlatType {
  if (a === b) return a
  const narrow = new Set([a, b])
  return narrow.has('i32') && narrow.has('f32') ? 'i32' : 'i64'
}

const LETTERS = { i32: 'i', i64: 'I', f32: 'f', f64: 'F' } as const

/**
 * The type of the core function behind a function of a component, as text: `ii:i`.
 *
 * @param direction `lift`: the core function is called; `lower`: it is what the caller imports.
 */
export function coreSignature(
  params: readonly ValueType[],
  result: ValueType | undefined,
  direction: 'lift' | 'lower',
): string {
  const flat = params.flatMap(flatten)
  const results = result ? flatten(result) : []
  const taken: FlatType[] = flat.length > MAX_FLAT_PARAMS ? ['i32'] : flat
  const inMemory = results.length > MAX_FLAT_RESULTS
  if (inMemory && direction === 'lower') taken.push('i32')
  const given: FlatType[] = inMemory ? (direction === 'lift' ? ['i32'] : []) : results
  const letters = (types: readonly FlatType[]) => types.map((type) => LETTERS[type]).join('')
  return `${letters(taken)}:${letters(given)}`
}

export type FlatValue = number | bigint

/** Takes one value from the front of `flat`. */
export function liftFlat(side: Side, flat: FlatValue[], type: ValueType): Value {
  switch (type.kind) {
    case 'record':
      return type.fields.map((field) => liftFlat(side, flat, field))
    case 'variant':
      return liftVariant(side, flat, type)
    case 'string':
    case 'list': {
      const at = Number(flat.shift()) >>> 0
      return loadList(side, type, at, Number(flat.shift()) >>> 0)
    }
    default: {
      const value = flat.shift()
      if (value === undefined) throw new Trap('a call with too few parameters')
      if (type.kind === 'own') return side.take(Number(value) >>> 0, type.resource)
      if (type.kind === 'borrow') return side.look(Number(value) >>> 0, type.resource)
      return type.kind === 'bool' ? Number(value !== 0) : narrow(type.kind, value)
    }
  }
}

/** Core functions may leave anything in the bits above a small number. */
function narrow(kind: ValueType['kind'], value: FlatValue): FlatValue {
  if (kind === 'u8') return Number(value) & 0xff
  if (kind === 'u16') return Number(value) & 0xffff
  if (kind === 's8') return (Number(value) << 24) >> 24
  if (kind === 's16') return (Number(value) << 16) >> 16
  return value
}

function liftVariant(
  side: Side,
  flat: FlatValue[],
  type: Extract<ValueType, { kind: 'variant' }>,
): VariantValue {
  const joined = flatten(type).slice(1)
  const tag = Number(flat.shift()) >>> 0
  const slots = flat.splice(0, joined.length)
  const payload = payloadType(type.cases, tag)
  if (payload === undefined) return { tag, payload }
  const values = flatten(payload).map((wanted, i) =>
    decode(slots[i] ?? 0, joined[i] ?? wanted, wanted),
  )
  return { tag, payload: liftFlat(side, values, payload) }
}

export function lowerFlat(side: Side, type: ValueType, value: Value): FlatValue[] {
  switch (type.kind) {
    case 'record':
      return type.fields.flatMap((field, i) =>
        lowerFlat(side, field, (value as Value[])[i] as Value),
      )
    case 'variant': {
      const { tag, payload } = value as VariantValue
      const joined = flatten(type).slice(1)
      const inner = payloadType(type.cases, tag)
      const flat = inner ? lowerFlat(side, inner, payload as Value) : []
      const types = inner ? flatten(inner) : []
      const slots = joined.map((wide, i) => {
        const [slot, from] = [flat[i], types[i]]
        if (slot === undefined || from === undefined) return wide === 'i64' ? 0n : 0
        return encode(slot, from, wide)
      })
      return [tag, ...slots]
    }
    case 'string':
    case 'list':
      return storeList(side, type, value as Value[] | Uint8Array)
    case 'own':
      return [side.give(value as Carried, type.resource)]
    case 'borrow':
      return [side.lend(value as Carried, type.resource)]
    default:
      return [value as FlatValue]
  }
}

const bits = new DataView(new ArrayBuffer(8))

/** Puts a value of type `from` into a slot that is wide enough for other cases too. */
function encode(value: FlatValue, from: FlatType, to: FlatType): FlatValue {
  if (from === to) return value
  if (from === 'f64') {
    bits.setFloat64(0, Number(value))
    return bits.getBigInt64(0)
  }
  if (from === 'f32') bits.setFloat32(0, Number(value))
  else bits.setInt32(0, Number(value))
  return to === 'i32' ? bits.getInt32(0) : BigInt(bits.getUint32(0))
}

/** The other way round. */
function decode(value: FlatValue, from: FlatType, to: FlatType): FlatValue {
  if (from === to) return value
  if (to === 'f64') {
    bits.setBigInt64(0, BigInt(value))
    return bits.getFloat64(0)
  }
  bits.setInt32(0, Number(BigInt.asIntN(32, BigInt(value))))
  return to === 'f32' ? bits.getFloat32(0) : bits.getInt32(0)
}
