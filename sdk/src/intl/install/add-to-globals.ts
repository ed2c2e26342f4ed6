import type { IntlPart } from '../parts/part.ts'

/** As properties that no loop finds. */
const HIDDEN = { configurable: true, writable: true, enumerable: false }

/** Makes the object `Intl` where the engine has no such object. */
export function addToGlobals({ members, methods }: IntlPart): void {
  if (!('Intl' in globalThis)) {
    const intl = Object.defineProperty({}, Symbol.toStringTag, {
      value: 'Intl',
      configurable: true,
    })
    Object.defineProperty(globalThis, 'Intl', { ...HIDDEN, value: intl })
  }
  addAll(Reflect.get(globalThis, 'Intl'), members)
  for (const [prototype, own] of methods) addAll(prototype, own)
}

function addAll(target: object, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(target, name, { ...HIDDEN, value })
  }
}
