/** What a value of unknown origin is: parsed JSON, or what a server or an author gave. */

/** Whether `value` is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `value` if it is a JSON object, otherwise an empty one: for reading an answer that may be anything. */
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** The value of a JSON text; `undefined` if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether `value` is a string. */
export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Whether `value` is an object or a list. */
export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A member of its own of an object or a list: names such as `constructor` are not inherited. */
export function memberOf(value: unknown, name: string): unknown {
  return isNested(value) && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** Whether `value` is an array whose items all pass `is`. */
export function isArrayOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[]
export function isArrayOf(value: unknown, is: (item: unknown) => boolean): value is unknown[]
export function isArrayOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}
