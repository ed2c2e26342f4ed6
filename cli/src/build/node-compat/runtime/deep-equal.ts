/** What `util.isDeepStrictEqual` and `assert.deepEqual` compare. */

type Pairs = Map<object, Set<object>>

/**
 * @param strict whether `1` and `'1'`, or objects of two classes, are different.
 * @param open pairs that are being compared: a circular structure equals one of the same form.
 */
export function isDeepEqual(
  a: unknown,
  b: unknown,
  strict = true,
  open: Pairs = new Map(),
): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return !strict && !(typeof a === 'object' && typeof b === 'object') && looseEqual(a, b)
  }
  if (tagOf(a) !== tagOf(b)) return false
  if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (open.get(a)?.has(b)) return true
  open.set(a, (open.get(a) ?? new Set()).add(b))
  const equal =
    isSameValue(a, b) && isSameContent(a, b, strict, open) && hasSameKeys(a, b, strict, open)
  open.get(a)?.delete(b)
  return equal
}

function looseEqual(a: unknown, b: unknown): boolean {
  return a == b || (Number.isNaN(a) && Number.isNaN(b))
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/** Compares what an object of the language contains besides its properties. */
function isSameValue(a: object, b: object): boolean {
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime())
  if (a instanceof RegExp && b instanceof RegExp) {
    return String(a) === String(b) && a.lastIndex === b.lastIndex
  }
  if (a instanceof Error && b instanceof Error) return a.name === b.name && a.message === b.message
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer) {
    return isSameBytes(new Uint8Array(a), new Uint8Array(b))
  }
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return a.byteLength === b.byteLength
  if (/^\[object (Number|String|Boolean|BigInt|Symbol)\]$/.test(tagOf(a))) {
    return Object.is(a.valueOf(), b.valueOf())
  }
  if (/^\[object (Promise|WeakMap|WeakSet)\]$/.test(tagOf(a))) return false
  return true
}

function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

function isSameContent(a: object, b: object, strict: boolean, open: Pairs): boolean {
  if (a instanceof Set && b instanceof Set) {
    return a.size === b.size && pairUp([...a], [...b], (x, y) => isDeepEqual(x, y, strict, open))
  }
  if (a instanceof Map && b instanceof Map) {
    return (
      a.size === b.size &&
      pairUp(
        [...a],
        [...b],
        ([k, v], [l, w]) => isDeepEqual(k, l, strict, open) && isDeepEqual(v, w, strict, open),
      )
    )
  }
  return true
}

/** Whether each of the first equals another one of the second, in any order. */
function pairUp<T>(first: readonly T[], second: T[], equal: (a: T, b: T) => boolean): boolean {
  const left = [...second]
  return first.every((value, at) => {
    const near = left.findIndex((other, place) => place === at && equal(value, other))
    const found = near === -1 ? left.findIndex((other) => equal(value, other)) : near
    if (found === -1) return false
    left.splice(found, 1)
    return true
  })
}

function hasSameKeys(a: object, b: object, strict: boolean, open: Pairs): boolean {
  const [keys, others] = [keysOf(a, strict), keysOf(b, strict)]
  if (keys.length !== others.length) return false
  return keys.every(
    (key) =>
      Object.prototype.propertyIsEnumerable.call(b, key) &&
      isDeepEqual(Reflect.get(a, key), Reflect.get(b, key), strict, open),
  )
}

function keysOf(value: object, strict: boolean): (string | symbol)[] {
  const symbols = strict
    ? Object.getOwnPropertySymbols(value).filter((key) =>
        Object.prototype.propertyIsEnumerable.call(value, key),
      )
    : []
  return [...Object.keys(value), ...symbols]
}
