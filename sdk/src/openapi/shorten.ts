/** Results that fit into the context of a model: a list keeps its first items, and stays valid JSON. */
import { isNested, isObject } from 'ftl-contract'

export interface Shortened {
  value: unknown
  /** Names of members that lead to the list; empty if the value is the list. */
  path: string[]
  shown: number
  of: number
}

/** Levels of objects in which a list is looked for: `{ "data": { "items": [] } }`. */
const MAX_DEPTH = 3

/**
 * Leaves out the last items of the longest list.
 *
 * @param limit characters of JSON.
 * @returns `undefined` if not even one item would fit, or there is no list.
 */
export function shortened(value: unknown, limit: number): Shortened | undefined {
  const found = longestList(value, [], 0)
  if (!found) return undefined
  const { list, path, length } = found
  const others = lengthOf(value) - length
  let room = limit - others - 2
  let shown = 0
  for (const item of list) {
    room -= lengthOf(item) + 1
    if (room < 0) break
    shown++
  }
  if (shown === 0) return undefined
  return { value: replaced(value, path, list.slice(0, shown)), path, shown, of: list.length }
}

interface Found {
  list: readonly unknown[]
  path: string[]
  length: number
}

function longestList(value: unknown, path: string[], depth: number): Found | undefined {
  if (Array.isArray(value)) return { list: value, path, length: lengthOf(value) }
  if (!isObject(value) || depth === MAX_DEPTH) return undefined
  let longest: Found | undefined
  for (const [name, part] of Object.entries(value)) {
    if (!isNested(part)) continue
    const found = longestList(part, [...path, name], depth + 1)
    if (found && found.length > (longest?.length ?? 0)) longest = found
  }
  return longest
}

const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 4

function replaced(value: unknown, [name, ...rest]: readonly string[], list: unknown[]): unknown {
  if (name === undefined || !isObject(value)) return list
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === name ? replaced(part, rest, list) : part,
    ]),
  )
}
