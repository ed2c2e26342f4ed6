/** `wasi:http/types.fields`: headers and trailers. */
import type { Guest } from './guest.ts'
import {
  type HeaderEntry,
  isForbiddenHeader,
  isHeaderName,
  isHeaderValue,
} from '../http/header-rules.ts'
import type { ImportFunction } from './jspi.ts'
import { Trap } from './trap.ts'

/** The cases of `header-error` in their order. */
const INVALID_SYNTAX = 0
const FORBIDDEN = 1
const IMMUTABLE = 2

/**
 * Bytes that the headers of one message may take, with {@link ENTRY_BYTES} for each: 2,048 headers at most.
 *
 * The limit is Wasmtime's (`max-http-fields-size`), and a guest that goes beyond it ends as it does there: the
 * interface has no error for it. Without a limit a guest could send a million headers through the main thread.
 */
const MAX_FIELDS_BYTES = 128 * 1024

/** What a header takes besides its name and its value. */
const ENTRY_BYTES = 64

/** What headers take while the host holds them. */
export function bytesOfEntries(entries: readonly HeaderEntry[]): number {
  let bytes = 0
  for (const [name, value] of entries) bytes += name.length + value.length + ENTRY_BYTES
  return bytes
}

function checkSize(bytes: number): void {
  if (bytes <= MAX_FIELDS_BYTES) return
  throw new Trap(
    `the headers of one message take more than ${MAX_FIELDS_BYTES / 1024} KiB ` +
      `(each counts ${ENTRY_BYTES} bytes more than it is long)`,
  )
}

export class Fields {
  entries: readonly HeaderEntry[]
  /** Headers of a message that came from outside, or was handed to one, do not change. */
  readonly immutable: boolean
  /** What `entries` take. */
  bytes: number

  constructor(
    entries: readonly HeaderEntry[],
    { immutable = false, bytes = bytesOfEntries(entries) } = {},
  ) {
    this.entries = entries
    this.immutable = immutable
    this.bytes = bytes
  }
}

/** @param name in lower case. */
function fault(name: string, ...values: readonly string[]): number | undefined {
  if (!isHeaderName(name)) return INVALID_SYNTAX
  for (const value of values) if (!isHeaderValue(value)) return INVALID_SYNTAX
  return isForbiddenHeader(name) ? FORBIDDEN : undefined
}

export function fieldsImports({ memory, handles }: Guest): Record<string, ImportFunction> {
  const fields = (handle: number) => handles.get(handle, Fields)
  const text = (at: number, size: number) => {
    checkSize(size)
    return memory.latin1(at, size)
  }
  const name = (at: number, size: number) => text(at, size).toLowerCase()
  const valueAt = (at: number) => text(memory.u32(at), memory.u32(at + 4))
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
    const error = target.immutable ? IMMUTABLE : fault(key, ...values)
    if (error === undefined) {
      const entries = apply(target.entries)
      const bytes = bytesOfEntries(entries)
      checkSize(bytes)
      handles.resize(target, bytes, 'headers')
      target.entries = entries
    }
    answer(ret, error)
  }
  return {
    '[resource-drop]fields': (self: number) => handles.drop(self, Fields),
    '[constructor]fields': () => handles.add(new Fields([])),
    '[static]fields.from-list': (list: number, count: number, ret: number) => {
      const entries: HeaderEntry[] = []
      let bytes = 0
      for (let at = list; at < list + 16 * count; at += 16) {
        const key = name(memory.u32(at), memory.u32(at + 4))
        const value = valueAt(at + 8)
        const error = fault(key, value)
        if (error !== undefined) {
          memory.setU8(ret, 1)
          memory.setU8(ret + 4, error)
          return
        }
        checkSize((bytes += key.length + value.length + ENTRY_BYTES))
        entries.push([key, value])
      }
      memory.setU8(ret, 0)
      memory.setU32(ret + 4, handles.add(new Fields(entries, { bytes })))
    },
    '[method]fields.get': (self: number, at: number, size: number, ret: number) => {
      const key = name(at, size)
      const { entries } = fields(self)
      let count = 0
      for (const entry of entries) if (entry[0] === key) count++
      let to = memory.allocate(count, 8)
      memory.setList(ret, to, count)
      if (count === 0) return
      for (const entry of entries) {
        if (entry[0] !== key) continue
        memory.setLatin1(to, entry[1])
        to += 8
      }
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
      const values: string[] = []
      let bytes = 0
      for (let i = 0; i < count; i++) {
        const value = valueAt(list + 8 * i)
        checkSize((bytes += value.length + ENTRY_BYTES))
        values.push(value)
      }
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
      const value = text(valueAt, valueSize)
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
    '[method]fields.clone': (self: number) => {
      const { entries, bytes } = fields(self)
      return handles.add(new Fields(entries, { bytes }))
    },
  }
}
