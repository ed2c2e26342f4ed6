/**
 * How deep and how wide JSON may be.
 *
 * Measured inside a component with 128 MiB, with the engine of earlier versions: 1.2 MB of `[],` kept `JSON.parse` collecting garbage for 8 seconds, 600 KB
 * of nested brackets ended the instance, and from 400 levels on `JSON.stringify`, like every walk that calls itself,
 * gives up with "too much recursion". So both are looked at once, where text becomes a value.
 */

/** Levels of arrays and objects that are let through. The answer of a sensible tool has about ten. */
const MAX_DEPTH = 64

/** `[` and `{` in one text, those inside strings included. A list of points has 190 000 in 4 MiB. */
export const MAX_BRACKETS = 200_000

/** JSON that nests deeper than it may, or has more arrays and objects. */
export class JsonTooDeep extends Error {
  override readonly name = 'JsonTooDeep'
}

export interface ParseOptions {
  /** Levels of arrays and objects; a document without either has none. @default 64 */
  depth?: number
  /** Arrays and objects, those in strings included. @default 200,000 */
  brackets?: number
}

/**
 * `JSON.parse` with limits.
 *
 * @throws {SyntaxError} when `text` is not JSON.
 * @throws {JsonTooDeep} when it is more than can be worked with; the message goes on from "The body …".
 */
export function parseJson(
  text: string,
  { depth = MAX_DEPTH, brackets = MAX_BRACKETS }: ParseOptions = {},
): unknown {
  if (text.length > brackets && moreBrackets(text, brackets)) throw tooMany(brackets)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw error
    // The stack of the engine holds some thousand levels. Without memory it throws an InternalError.
    throw error instanceof RangeError ? deeperThan(depth) : tooMany(brackets)
  }
  // With no more brackets than levels there is nothing to walk: 7 ms, not 130, for a list of 2 million numbers.
  if (moreBrackets(text, depth) && tooDeep(value, depth)) {
    throw deeperThan(depth)
  }
  return value
}

/** `undefined` for text that is not JSON within the limits. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a parsed value has more than `limit` levels of arrays and objects. Looks at no level beyond that.
 *
 * @param limit levels. @default 64
 */
export function tooDeep(value: unknown, limit: number = MAX_DEPTH): boolean {
  let level: object[] = isNested(value) ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limit) return true
    const below: object[] = []
    for (const nested of level) {
      const members: unknown[] = Array.isArray(nested) ? nested : Object.values(nested)
      // An index and a comparison written out: in an engine without a compiler a call a value costs three times that.
      for (let index = 0; index < members.length; index++) {
        const member = members[index]
        if (typeof member === 'object' && member !== null) below.push(member)
      }
    }
    level = below
  }
  return false
}

// Splitting is native and stops at its limit; a loop over the text is interpreted, 130 ns a character.
function moreBrackets(text: string, limit: number): boolean {
  const squares = text.split('[', limit + 2).length - 1
  return squares > limit || squares + text.split('{', limit + 2).length - 1 > limit
}

function deeperThan(depth: number): JsonTooDeep {
  return new JsonTooDeep(`nests deeper than ${depth} levels`)
}

function tooMany(brackets: number): JsonTooDeep {
  return new JsonTooDeep(`has more than ${brackets} arrays and objects`)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
