/** Whether `value` is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** A member of its own of an object or a list: names such as `constructor` are not inherited. */
export function memberOf(value: unknown, name: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isThere ? (value as Record<string, unknown>)[name] : undefined
}

export function isArrayOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[]
export function isArrayOf(value: unknown, is: (item: unknown) => boolean): value is unknown[]
export function isArrayOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}
