/** What each kind of object shows besides its properties. */
import {
  bigintValue,
  booleanValue,
  bufferByteLength,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  getTime,
  isDetached,
  join,
  numberValue,
  objectKeys,
  regExpText,
  stringValue,
  toISOString,
  toStringTag,
  typedLength,
  typedTag,
} from './primordials.js'
import { classId, proxyTarget } from './host.js'
import { entriesOf } from './clone-kinds.js'
import { errorText } from './inspect-error.js'
import { quote } from './quote.js'

const MAX_ITEMS = 100
const boxed = {
  Boolean: booleanValue,
  Number: numberValue,
  BigInt: (value) => `${bigintValue(value)}n`,
  String: (value) => quote(stringValue(value)),
}

/** Looks through the prototypes without running a getter or a trap. */
export function findProperty(value, key) {
  for (let object = value; object !== null; object = getPrototypeOf(object)) {
    if (proxyTarget(object) !== undefined) return undefined
    const descriptor = getOwnPropertyDescriptor(object, key)
    if (descriptor !== undefined) return descriptor
  }
  return undefined
}

/** The name of the class; '' without a prototype. */
function nameOf(value) {
  const descriptor = findProperty(value, 'constructor')
  const name =
    descriptor === undefined || typeof descriptor.value !== 'function'
      ? undefined
      : getOwnPropertyDescriptor(descriptor.value, 'name')?.value
  return typeof name === 'string' ? name : ''
}

function tagged(name, value, usual) {
  const descriptor = findProperty(value, toStringTag)
  const tag =
    descriptor !== undefined && typeof descriptor.value === 'string' ? descriptor.value : ''
  const shown = name === '' ? '[Object: null prototype]' : name
  if (tag !== '' && tag !== name) return `${shown} [${tag}] `
  return shown === usual ? '' : `${shown} `
}

export function partsOf(value, kind) {
  const name = nameOf(value)
  const plain = (usual) => ({ name, prefix: tagged(name, value, usual), braces: true })
  switch (kind) {
    case 'Object':
      return plain('Object')
    case 'Array':
      return {
        name,
        braces: true,
        prefix: name === 'Array' ? '' : `${name || '[Array: null prototype]'}(${value.length}) `,
        items: (out, nested) => arrayItems(value, out, nested),
      }
    case 'TypedArray':
      return {
        name,
        braces: true,
        prefix: `${typedTag(value)}(${typedLength(value)}) `,
        items: (out, nested) => arrayItems(value, out, nested),
      }
    case 'Map':
    case 'Set': {
      const list = entriesOf(value, kind)
      const size = kind === 'Map' ? list.length / 2 : list.length
      return {
        name,
        braces: true,
        prefix: `${name || kind}(${size}) ${name === kind || name === '' ? '' : `[${kind}] `}`,
        items: (out, nested) => collectionItems(list, kind, out, nested),
      }
    }
    case 'ArrayBuffer':
      return { name, braces: true, prefix: 'ArrayBuffer ', items: (out) => bufferItems(value, out) }
    case 'Date':
      return {
        base: getTime(value) === getTime(value) ? toISOString(value) : 'Invalid Date',
        prefix: '',
      }
    case 'RegExp':
      return { base: regExpText(value), prefix: '' }
    case 'Function':
      return { base: functionName(value), prefix: '' }
    case 'Error':
    case 'DOMException':
      return errorText(value, name)
    case 'Boolean':
    case 'Number':
    case 'String':
    case 'BigInt':
      return { base: `[${kind}: ${boxed[kind](value)}]`, prefix: '' }
    default:
      return plain(undefined)
  }
}

function arrayItems(value, out, nested) {
  const length = typedTag(value) === undefined ? value.length : typedLength(value)
  let holes = 0
  const flush = () => {
    if (holes > 0) out[out.length] = `<${holes} empty item${holes === 1 ? '' : 's'}>`
    holes = 0
  }
  let at = 0
  for (; at < length && out.length < MAX_ITEMS; at++) {
    const descriptor = getOwnPropertyDescriptor(value, at)
    if (descriptor === undefined) {
      const keys = objectKeys(value)
      const next = nextIndex(keys, at)
      holes = (next === -1 ? length : next) - at
      at += holes - 1
      flush()
    } else out[out.length] = 'value' in descriptor ? nested(descriptor.value) : '[Getter]'
  }
  more(out, length - at)
}

function nextIndex(keys, after) {
  for (let i = 0; i < keys.length; i++) {
    const index = keys[i] >>> 0
    if (`${index}` !== keys[i]) return -1
    if (index > after) return index
  }
  return -1
}

function more(out, rest) {
  if (rest > 0) out[out.length] = `... ${rest} more item${rest === 1 ? '' : 's'}`
}

function collectionItems(list, kind, out, nested) {
  const step = kind === 'Map' ? 2 : 1
  for (let i = 0; i < list.length && out.length < MAX_ITEMS; i += step) {
    out[out.length] =
      kind === 'Map' ? `${nested(list[i])} => ${nested(list[i + 1])}` : nested(list[i])
  }
  more(out, list.length / step - MAX_ITEMS)
}

function bufferItems(value, out) {
  if (isDetached(value)) {
    out[0] = '(detached)'
    out[1] = '[byteLength]: 0'
    return
  }
  const size = bufferByteLength(value)
  const bytes = new Uint8Array(value, 0, Math.min(size, 50))
  const hex = []
  for (let i = 0; i < bytes.length; i++) hex[i] = (bytes[i] < 16 ? '0' : '') + bytes[i].toString(16)
  const rest = size - bytes.length
  out[0] = `[Uint8Contents]: <${join(hex, ' ')}${rest > 0 ? ` ... ${rest} more byte${rest === 1 ? '' : 's'}` : ''}>`
  out[1] = `[byteLength]: ${size}`
}

const BYTECODE_FUNCTION = classId(() => {})

/** The source text of functions is not kept, but the prototype of a class cannot be replaced. */
const isClass = (value) =>
  classId(value) === BYTECODE_FUNCTION &&
  getOwnPropertyDescriptor(value, 'prototype')?.writable === false

function functionName(value) {
  const own = getOwnPropertyDescriptor(value, 'name')?.value
  const name = typeof own === 'string' ? own : ''
  if (isClass(value)) {
    const parent = getPrototypeOf(value)
    const parentName =
      typeof parent === 'function' ? getOwnPropertyDescriptor(parent, 'name')?.value : ''
    return `[class ${name || '(anonymous)'}${parentName ? ` extends ${parentName}` : ''}]`
  }
  const type = nameOf(value) || 'Function'
  return `[${type}${name === '' ? ' (anonymous)' : `: ${name}`}]`
}
