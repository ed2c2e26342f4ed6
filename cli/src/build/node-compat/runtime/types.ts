/** `node:util/types`: by the tag of a value, since the engine's own kinds cannot be asked for. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)
const has =
  (...tags: string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && tags.includes(tagOf(value))
const TypedArray = Object.getPrototypeOf(Uint8Array) as new () => ArrayBufferView
const arrayTag = Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag)
const isArrayOf = (name: string) => (value: unknown) => arrayTag?.get?.call(value) === name

export const isAnyArrayBuffer = has('ArrayBuffer', 'SharedArrayBuffer')
export const isArgumentsObject = has('Arguments')
export const isArrayBuffer = (value: unknown): boolean => value instanceof ArrayBuffer
export const isArrayBufferView = (value: unknown): boolean => ArrayBuffer.isView(value)
export const isAsyncFunction = (value: unknown): boolean =>
  typeof value === 'function' && /^Async/.test(tagOf(value))
export const isBigInt64Array = isArrayOf('BigInt64Array')
export const isBigUint64Array = isArrayOf('BigUint64Array')
export const isBooleanObject = has('Boolean')
export const isBoxedPrimitive = has('Boolean', 'Number', 'String', 'Symbol', 'BigInt')
export const isCryptoKey = has('CryptoKey')
export const isDataView = has('DataView')
export const isDate = has('Date')
export const isExternal = (): boolean => false
export const isFloat32Array = isArrayOf('Float32Array')
export const isFloat64Array = isArrayOf('Float64Array')
export const isGeneratorFunction = (value: unknown): boolean =>
  typeof value === 'function' && /GeneratorFunction$/.test(tagOf(value))
export const isGeneratorObject = has('Generator')
export const isInt16Array = isArrayOf('Int16Array')
export const isInt32Array = isArrayOf('Int32Array')
export const isInt8Array = isArrayOf('Int8Array')
export const isKeyObject = has('KeyObject')
export const isMap = has('Map')
export const isMapIterator = has('Map Iterator')
export const isModuleNamespaceObject = has('Module')
export const isNativeError = (value: unknown): boolean =>
  value instanceof Error || has('Error')(value)
export const isNumberObject = has('Number')
export const isPromise = has('Promise')
export const isProxy = (): boolean => false
export const isRegExp = has('RegExp')
export const isSet = has('Set')
export const isSetIterator = has('Set Iterator')
export const isSharedArrayBuffer = has('SharedArrayBuffer')
export const isStringObject = has('String')
export const isSymbolObject = has('Symbol')
export const isTypedArray = (value: unknown): boolean => value instanceof TypedArray
export const isUint16Array = isArrayOf('Uint16Array')
export const isUint32Array = isArrayOf('Uint32Array')
export const isUint8Array = isArrayOf('Uint8Array')
export const isUint8ClampedArray = isArrayOf('Uint8ClampedArray')
export const isWeakMap = has('WeakMap')
export const isWeakSet = has('WeakSet')

export default {
  isAnyArrayBuffer,
  isArgumentsObject,
  isArrayBuffer,
  isArrayBufferView,
  isAsyncFunction,
  isBigInt64Array,
  isBigUint64Array,
  isBooleanObject,
  isBoxedPrimitive,
  isCryptoKey,
  isDataView,
  isDate,
  isExternal,
  isFloat32Array,
  isFloat64Array,
  isGeneratorFunction,
  isGeneratorObject,
  isInt16Array,
  isInt32Array,
  isInt8Array,
  isKeyObject,
  isMap,
  isMapIterator,
  isModuleNamespaceObject,
  isNativeError,
  isNumberObject,
  isPromise,
  isProxy,
  isRegExp,
  isSet,
  isSetIterator,
  isSharedArrayBuffer,
  isStringObject,
  isSymbolObject,
  isTypedArray,
  isUint16Array,
  isUint32Array,
  isUint8Array,
  isUint8ClampedArray,
  isWeakMap,
  isWeakSet,
}
