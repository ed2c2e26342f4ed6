/** Gives classes the outside of a built-in of the language. */

type Constructor = abstract new (...args: never[]) => object

/** Names the class as `Object.prototype.toString` shows it. */
export function named<T extends Constructor>(name: string, type: T): T {
  Object.defineProperty(type.prototype, Symbol.toStringTag, {
    value: `Intl.${name}`,
    configurable: true,
  })
  // The bundler shortens the names of classes.
  Object.defineProperty(type, 'name', { value: name, configurable: true })
  return type
}

/** A constructor that can also be called without `new`, as `Intl.NumberFormat()` can. */
export function callable<T extends new (...args: never[]) => object>(name: string, type: T): T {
  const both = new Proxy(named(name, type), {
    apply: (target, _, args) => Reflect.construct(target, args) as object,
  })
  Object.defineProperty(type.prototype, 'constructor', {
    value: both,
    writable: true,
    configurable: true,
  })
  return both
}

export interface Part {
  type: string
  value: string
}

export function joinParts(parts: readonly Part[]): string {
  let text = ''
  for (const { value } of parts) text += value
  return text
}
