/**
 * `wasi:http/types.fields`: headers and trailers.
 *
 * @module
 */
import type { Guest } from './guest.ts'
import { isForbiddenHeader, isHeaderName, isHeaderValue } from './header-rules.ts'
import type { ImportFunction } from './jspi.ts'
import type { HeaderEntry } from './services.ts'

/** The cases of `header-error` in their order. */
const INVALID_SYNTAX = 0
const FORBIDDEN = 1
const IMMUTABLE = 2

export class Fields {
  entries: readonly HeaderEntry[]
  /** Headers of a message that came from outside, or was handed to one, do not change. */
  readonly immutable: boolean

  constructor(entries: readonly HeaderEntry[], { immutable = false } = {}) {
    this.entries = entries
    this.immutable = immutable
  }
}

function fault(name: string, values: readonly string[]): number | undefined {
  if (!isHeaderName(name) || !values.every(isHeaderValue)) return INVALID_SYNTAX
  return isForbiddenHeader(name) ? FORBIDDEN : undefined
}

export function fieldsImports({ memory, handles }: Guest): Record<string, ImportFunction> {
  const fields = (handle: number) => handles.get(handle, Fields)
  const name = (at: number, size: number) => memory.latin1(at, size).toLowerCase()
  const valueAt = (at: number) => memory.latin1(memory.u32(at), memory.u32(at + 4))
  // result<_, header-error>: both bytes.
  const answer = (ret: number, error: number | undefined) => {
    memory.setU8(ret, error === undefined ? 0 : 1)
    if (error !== undefined) memory.setU8(ret + 1, error)
  }
  const change = (
    self: number,
    ret: number,
    key: string,
    values: readonly string[],
    apply: (entries: readonly HeaderEntry[]) => readonly HeaderEntry[],
  ) => {
    const target = fields(self)
    const error = target.immutable ? IMMUTABLE : fault(key, values)
    if (error === undefined) target.entries = apply(target.entries)
    answer(ret, error)
  }
  return {
    '[resource-drop]fields': (self: number) => handles.drop(self, Fields),
    '[constructor]fields': () => handles.add(new Fields([])),
    '[static]fields.from-list': (list: number, count: number, ret: number) => {
      const entries: HeaderEntry[] = []
      for (let at = list; at < list + 16 * count; at += 16) {
        const key = name(memory.u32(at), memory.u32(at + 4))
        const value = valueAt(at + 8)
        const error = fault(key, [value])
        if (error !== undefined) {
          memory.setU8(ret, 1)
          memory.setU8(ret + 4, error)
          return
        }
        entries.push([key, value])
      }
      memory.setU8(ret, 0)
      memory.setU32(ret + 4, handles.add(new Fields(entries)))
    },
    '[method]fields.get': (self: number, at: number, size: number, ret: number) => {
      const key = name(at, size)
      const values = fields(self).entries.filter(([entry]) => entry === key)
      const to = memory.allocate(values.length, 8)
      for (const [i, [, value]] of values.entries()) memory.setLatin1(to + 8 * i, value)
      memory.setList(ret, to, values.length)
    },
    '[method]fields.has': (self: number, at: number, size: number) => {
      const key = name(at, size)
      return fields(self).entries.some(([entry]) => entry === key) ? 1 : 0
    },
    '[method]fields.set': (
      self: number,
      at: number,
      size: number,
      list: number,
      count: number,
      ret: number,
    ) => {
      const key = name(at, size)
      const values = Array.from({ length: count }, (_, i) => valueAt(list + 8 * i))
      change(self, ret, key, values, (entries) => [
        ...entries.filter(([entry]) => entry !== key),
        ...values.map((value): HeaderEntry => [key, value]),
      ])
    },
    '[method]fields.delete': (self: number, at: number, size: number, ret: number) => {
      const key = name(at, size)
      change(self, ret, key, [], (entries) => entries.filter(([entry]) => entry !== key))
    },
    '[method]fields.append': (
      self: number,
      at: number,
      size: number,
      valueAt: number,
      valueSize: number,
      ret: number,
    ) => {
      const key = name(at, size)
      const value = memory.latin1(valueAt, valueSize)
      change(self, ret, key, [value], (entries) => [...entries, [key, value]])
    },
    '[method]fields.entries': (self: number, ret: number) => {
      const { entries } = fields(self)
      const to = memory.allocate(entries.length, 16)
      for (const [i, [key, value]] of entries.entries()) {
        memory.setLatin1(to + 16 * i, key)
        memory.setLatin1(to + 16 * i + 8, value)
      }
      memory.setList(ret, to, entries.length)
    },
    '[method]fields.clone': (self: number) => handles.add(new Fields(fields(self).entries)),
  }
}
