/**
 * The layout of values in memory, as the canonical ABI defines it.
 * @see https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md
 */
import type { ValueType } from './types.ts'

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
