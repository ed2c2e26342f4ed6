/** `wasi:http/types.{method,scheme}`: variants whose last case carries a string. */
import type { GuestMemory } from './memory.ts'

/** The cases of `method` in their order; `other(string)` follows. */
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
] as const

/** The cases of `scheme` in their order; `other(string)` follows. */
const SCHEMES = ['http', 'https'] as const

const read = (cases: readonly string[], memory: GuestMemory, tag: number, at: number, n: number) =>
  cases[tag] ?? memory.string(at, n)

function write(cases: readonly string[], memory: GuestMemory, at: number, text: string): void {
  const tag = cases.indexOf(text)
  if (tag < 0) memory.setString(at + 4, text)
  memory.setU8(at, tag < 0 ? cases.length : tag)
}

export const readMethod = (memory: GuestMemory, tag: number, at: number, size: number): string =>
  read(METHODS, memory, tag, at, size)

export const readScheme = (memory: GuestMemory, tag: number, at: number, size: number): string =>
  read(SCHEMES, memory, tag, at, size).toLowerCase()

export const writeMethod = (memory: GuestMemory, at: number, method: string): void =>
  write(METHODS, memory, at, method)

/** An `option<scheme>`. */
export function writeScheme(memory: GuestMemory, at: number, scheme: string | undefined): void {
  if (scheme !== undefined) write(SCHEMES, memory, at + 4, scheme)
  memory.setU8(at, scheme === undefined ? 0 : 1)
}
