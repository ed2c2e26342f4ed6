/** Values of a form are JSON values. `undefined` means that a value is left out. Names of properties are any text, also `__proto__`. */

export type Json = Record<string, unknown>

/** Text in a field that takes JSON, and is not JSON yet. */
export class Unreadable {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function isObject(value: unknown): value is Json {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unreadable)
  )
}

/** An own property: `constructor` is a name like any other. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The same object with one property changed; in place, so that the order stays. */
export function withProperty(value: unknown, key: string, next: unknown): Json {
  const entries = Object.entries(isObject(value) ? value : {})
  const at = entries.findIndex(([name]) => name === key)
  if (next === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key))
  if (at >= 0) entries[at] = [key, next]
  else entries.push([key, next])
  return Object.fromEntries(entries)
}

/** The value as it is sent, and the paths of what is not JSON yet. */
export function cleaned(value: unknown): { value: unknown; unreadable: string[] } {
  const unreadable: string[] = []
  const clean = (part: unknown, path: string): unknown => {
    if (part instanceof Unreadable) {
      unreadable.push(path)
      return undefined
    }
    if (Array.isArray(part)) {
      const items: unknown[] = part
      // An item cannot be left out: the others would move.
      return items.map((item, index) => clean(item, `${path}[${index}]`) ?? null)
    }
    if (!isObject(part)) return part
    const entries = Object.entries(part).flatMap(([key, inner]) => {
      const kept = clean(inner, pathTo(path, key))
      return kept === undefined ? [] : [[key, kept] as const]
    })
    return Object.fromEntries(entries)
  }
  return { value: clean(value, ''), unreadable }
}

/** Characters of a name in a path; as the gateway does in what it says about arguments. */
const LONGEST_NAME = 1000

/** The path of a property or an item, as the gateway writes it: `size.width`, `items[0]`. */
export function pathTo(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const name = key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key
  return path === '' ? name : `${path}.${name}`
}
