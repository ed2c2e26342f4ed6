/** `node:util`. */
import { isDeepEqual } from './deep-equal.ts'
import { format, formatWithOptions, inspect } from './format.ts'
import types from './types.ts'

type Callback = (error: unknown, value?: unknown) => void
type Anything = (this: unknown, ...rest: unknown[]) => unknown

const custom = Symbol.for('nodejs.util.promisify.custom')

export const promisify = Object.assign(
  (original: Anything & { [custom]?: Anything }): Anything => {
    if (typeof original !== 'function') {
      throw new TypeError('The "original" argument must be of type function')
    }
    const replaced = original[custom]
    if (replaced) return replaced
    const promised = function (this: unknown, ...rest: unknown[]): Promise<unknown> {
      return new Promise((resolve, reject) => {
        const done = (error: Error | null, value?: unknown) =>
          error ? reject(error) : resolve(value)
        original.call(this, ...rest, done)
      })
    }
    Object.setPrototypeOf(promised, Object.getPrototypeOf(original) as object)
    return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original))
  },
  { custom },
)

export function callbackify(original: Anything): Anything {
  return function (this: unknown, ...rest) {
    const done = rest.pop() as Callback
    ;(original.apply(this, rest) as Promise<unknown>).then(
      (value) => queueMicrotask(() => done(null, value)),
      (error: unknown) => queueMicrotask(() => done(error || new Error(String(error)))),
    )
  }
}

export function inherits(
  child: { prototype: object; super_?: unknown },
  parent: { prototype: object },
): void {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true })
  Object.setPrototypeOf(child.prototype, parent.prototype)
}

export function deprecate<T extends Anything>(work: T, message: string): T {
  let isTold = false
  const warned = function (this: unknown, ...rest: unknown[]): unknown {
    if (!isTold) console.warn(`DeprecationWarning: ${message}`)
    isTold = true
    return work.apply(this, rest)
  }
  return Object.setPrototypeOf(warned, work) as T
}

/** Off: it is the environment that switches it on. */
export const debuglog = (): (() => void) & { enabled: boolean } =>
  Object.assign(() => {}, { enabled: false })

export const isDeepStrictEqual = (a: unknown, b: unknown): boolean => isDeepEqual(a, b)

export function stripVTControlCharacters(text: string): string {
  return text.replace(
    /[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g,
    '',
  )
}

export const styleText = (_format: unknown, text: string): string => text
export const toUSVString = (text: unknown): string => String(text).toWellFormed()
export const _extend = (target: object, source: object | null): object =>
  Object.assign(target, source)
export const log = (...values: unknown[]): void => console.log(format(...values))

export const { isArray } = Array
export const { isDate, isNativeError: isError, isRegExp } = types
export const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
export const isBuffer = (value: unknown): boolean =>
  value instanceof Uint8Array && '_isBuffer' in value && value._isBuffer === true
export const isFunction = (value: unknown): boolean => typeof value === 'function'
export const isNull = (value: unknown): boolean => value === null
export const isNullOrUndefined = (value: unknown): boolean => value == null
export const isNumber = (value: unknown): boolean => typeof value === 'number'
export const isObject = (value: unknown): boolean => value !== null && typeof value === 'object'
export const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== 'object' && typeof value !== 'function')
export const isString = (value: unknown): boolean => typeof value === 'string'
export const isSymbol = (value: unknown): boolean => typeof value === 'symbol'
export const isUndefined = (value: unknown): boolean => value === undefined

export const { TextDecoder, TextEncoder } = globalThis
export { format, formatWithOptions, inspect, types }

export default {
  _extend,
  callbackify,
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  formatWithOptions,
  inherits,
  inspect,
  isArray,
  isBoolean,
  isBuffer,
  isDate,
  isDeepStrictEqual,
  isError,
  isFunction,
  isNull,
  isNullOrUndefined,
  isNumber,
  isObject,
  isPrimitive,
  isRegExp,
  isString,
  isSymbol,
  isUndefined,
  log,
  promisify,
  stripVTControlCharacters,
  styleText,
  TextDecoder,
  TextEncoder,
  toUSVString,
  types,
}
