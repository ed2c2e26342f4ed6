// Changes component files where they decide what is linked: sections, indices, sorts and names. Core modules stay.
import { encodeName, encodeU32, readSections } from '../../../host/src/wasm/binary.ts'

const NAMES = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '']
const CORE_MODULE = 1
const COMPONENT = 4

export type Random = () => number

/** Random numbers below 1 that a seed repeats (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** @returns the file with one to four changes; sizes of sections and names fit again. */
export function mutateComponent(file: Uint8Array, random: Random): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit)
  let parts = readSections(file).map(({ id, start, end }) => ({
    id,
    body: [...file.subarray(start, end)],
  }))
  for (let left = 1 + below(4); left > 0; left--) {
    const at = below(parts.length)
    const part = parts[at]
    if (!part) break
    const choice = below(10)
    if (choice === 0) parts.splice(at, 1)
    else if (choice === 1) parts.splice(below(parts.length), 0, { ...part })
    else if (choice === 2) parts = [...parts.slice(0, at), ...parts.slice(at + 1), part]
    else if (part.id === COMPONENT) part.body = [...mutateComponent(Buffer.from(part.body), random)]
    else if (part.id !== CORE_MODULE) part.body = mutateBody(part.body, below)
  }
  const body = parts.flatMap(({ id, body }) => [id, ...encodeU32(body.length), ...body])
  return Buffer.from([...file.subarray(0, 8), ...body])
}

function mutateBody(body: readonly number[], below: (limit: number) => number): number[] {
  const at = below(body.length)
  const before = body.slice(0, at)
  const value = body[at] ?? 0
  switch (below(6)) {
    case 0: // another index, sort or count
      return [...before, below(24), ...body.slice(at + 1)]
    case 1: // the neighbour's
      return [...before, (value + (below(2) || -1) + 256) % 256, ...body.slice(at + 1)]
    case 2: // padded
      return value < 128 ? [...before, value + 128, 0, ...body.slice(at + 1)] : [...body]
    case 3: // cut off
      return before
    case 4: // any byte
      return [...before, below(256), ...body.slice(at + 1)]
  }
  const name = namesIn(body)
  const [start, size] = name[below(name.length)] ?? []
  if (start === undefined || size === undefined) return [...body]
  const other = NAMES[below(NAMES.length)] ?? ''
  return [...body.slice(0, start), ...encodeName(other), ...body.slice(start + 1 + size)]
}

/** Places that look like names: a length, and as many printable characters. */
function namesIn(body: readonly number[]): [start: number, size: number][] {
  return body.flatMap((size, start): [number, number][] => {
    const text = body.slice(start + 1, start + 1 + size)
    const isName = size > 1 && text.length === size && text.every((each) => each > 32 && each < 127)
    return isName ? [[start, size]] : []
  })
}
