/**
 * The layout of values in memory and in parameters, as the canonical ABI defines it.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md
 */
import type { ValueType } from './types.ts'

export type FlatType = 'i32' | 'i64' | 'f32' | 'f64'

/** More parameters than this are passed in memory. */
export const MAX_FLAT_PARAMS = 16
/** More results than this are passed in memory. */
export const MAX_FLAT_RESULTS = 1

const BYTES: Partial<Record<ValueType['kind'], number>> = {
  bool: 1,
  s8: 1,
  u8: 1,
  s16: 2,
  u16: 2,
  s64: 8,
  u64: 8,
  f64: 8,
}

export const alignTo = (at: number, alignment: number): number =>
  Math.ceil(at / alignment) * alignment

/** Bytes of a variant's tag or of flags. */
export function tagSize(count: number): 1 | 2 | 4 {
  if (count <= 256) return 1
  return count <= 65_536 ? 2 : 4
}

export function flagsSize(count: number): 1 | 2 | 4 {
  if (count <= 8) return 1
  return count <= 16 ? 2 : 4
}

export function alignmentOf(type: ValueType): number {
  switch (type.kind) {
    case 'record':
      return Math.max(1, ...type.fields.map(alignmentOf))
    case 'variant':
      return Math.max(tagSize(type.cases.length), payloadAlignment(type.cases))
    case 'flags':
      return flagsSize(type.count)
    case 'string':
    case 'list':
      return 4
    default:
      return BYTES[type.kind] ?? 4
  }
}

export function sizeOf(type: ValueType): number {
  switch (type.kind) {
    case 'record': {
      const end = type.fields.reduce(
        (at, field) => alignTo(at, alignmentOf(field)) + sizeOf(field),
        0,
      )
      return alignTo(end, alignmentOf(type))
    }
    case 'variant': {
      const payloads = type.cases.map((payload) => (payload === undefined ? 0 : sizeOf(payload)))
      return alignTo(payloadOffset(type.cases) + Math.max(0, ...payloads), alignmentOf(type))
    }
    case 'flags':
      return flagsSize(type.count)
    case 'string':
    case 'list':
      return 8
    default:
      return BYTES[type.kind] ?? 4
  }
}

const payloadAlignment = (cases: readonly (ValueType | undefined)[]) =>
  Math.max(1, ...cases.map((payload) => (payload === undefined ? 1 : alignmentOf(payload))))

/** Where the payload of a variant starts. */
export const payloadOffset = (cases: readonly (ValueType | undefined)[]): number =>
  alignTo(tagSize(cases.length), payloadAlignment(cases))

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
