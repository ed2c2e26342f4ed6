/** Values as text for the log, in the manner of Node's `util.inspect`. It runs no getter, and a proxy shows its target. */
import {
  applyTo,
  bufferByteLength,
  functionText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  getTime,
  isDetached,
  join,
  mapGet,
  mapSet,
  matches,
  objectKeys,
  ownKeys,
  regExpText,
  replaceAll,
  SafeMap,
  setAdd,
  setDelete,
  setHas,
  SafeSet,
  split,
  substring,
  symbolText,
  toISOString,
  toStringTag,
  typedLength,
  typedTag,
} from './primordials.js'
import { classId, proxyTarget } from './host.js'
import { entriesOf, kindOf } from './clone-kinds.js'
import { errorText } from './inspect-error.js'

const LINE = 72
const MAX_ITEMS = 100
const MAX_STRING = 10_000
/** Characters of one value: a log entry is not the place for more. */
const MAX_TEXT = 100_000
const custom = Symbol.for('nodejs.util.inspect.custom')
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** @param options `depth` of nested objects, by default 2. */
export function inspect(value, options = undefined) {
  const state = {
    depth: options?.depth === null ? Infinity : (options?.depth ?? 2),
    open: new SafeSet(),
    references: undefined,
    size: 0,
    /** How deep the object is that was formatted last: an object with few levels fits on one line. */
    last: 0,
  }
  try {
    return format(state, value, 0, 0)
  } catch (error) {
    return `[a value that cannot be shown: ${safeMessage(error)}]`
  }
}

function safeMessage(error) {
  try {
    return `${error}`
  } catch {
    return 'unknown error'
  }
}

export function format(state, value, level, indent) {
  const text =
    typeof value === 'object' && value !== null
      ? formatObject(state, value, level, indent)
      : formatOther(state, value, level, indent)
  state.size += text.length
  return text
}

function formatOther(state, value, level, indent) {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`
    case 'bigint':
      return `${value}n`
    case 'symbol':
      return symbolText(value)
    case 'function':
      return formatObject(state, value, level, indent)
    default:
      return `${value}`
  }
}

export function quote(text) {
  const rest = text.length - MAX_STRING
  const shown = rest > 0 ? substring(text, 0, MAX_STRING) : text
  const mark = !matches(/'/, shown)
    ? "'"
    : !matches(/"/, shown)
      ? '"'
      : !matches(/`|\$\{/, shown)
        ? '`'
        : "'"
  // eslint-disable-next-line no-control-regex
  const escaped = replaceAll(shown, /[\0-\x1f\x7f-\x9f\\'\ud800-\udfff]/gu, (character) =>
    escapeOne(character, mark),
  )
  return (
    mark + escaped + mark + (rest > 0 ? `... ${rest} more character${rest === 1 ? '' : 's'}` : '')
  )
}
const SHORT = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\\': '\\\\',
}
function escapeOne(character, mark) {
  if (character === "'") return mark === "'" ? "\\'" : "'"
  const code = character.charCodeAt(0)
  const hex = code.toString(16).toUpperCase()
  return SHORT[character] ?? (code > 0xff ? `\\u${hex}` : `\\x${code < 16 ? '0' : ''}${hex}`)
}

function formatObject(state, given, level, indent) {
  let value = given
  for (let target = proxyTarget(value); target !== undefined; target = proxyTarget(value))
    value = target
  if (state.size > MAX_TEXT) return '[...]'
  const own = customText(state, value, level)
  if (own !== undefined) return own
  if (setHas(state.open, value)) {
    state.references ??= new SafeMap()
    let number = mapGet(state.references, value)
    if (number === undefined)
      mapSet(
        state.references,
        value,
        (number = ++state.referenceCount || (state.referenceCount = 1)),
      )
    return `[Circular *${number}]`
  }
  return formatParts(state, value, level, indent)
}

function customText(state, value, level) {
  const descriptor = findProperty(value, custom)
  if (descriptor === undefined || typeof descriptor.value !== 'function') return undefined
  const result = applyTo(descriptor.value, value, [
    state.depth - level,
    { depth: state.depth - level },
    inspect,
  ])
  return typeof result === 'string' ? result : format(state, result, level + 1, 0)
}

/** Looks through the prototypes without running a getter or a trap. */
function findProperty(value, key) {
  for (let object = value; object !== null; object = getPrototypeOf(object)) {
    if (proxyTarget(object) !== undefined) return undefined
    const descriptor = getOwnPropertyDescriptor(object, key)
    if (descriptor !== undefined) return descriptor
  }
  return undefined
}

const functionId = classId(() => {})
void functionId

function formatParts(state, value, level, indent) {
  const kind = typeof value === 'function' ? 'Function' : (kindOf(value) ?? 'Other')
  const parts = partsOf(state, value, kind)
  if (level > state.depth && parts.braces) {
    return kind === 'Array' ? '[Array]' : `[${parts.name || 'Object: null prototype'}]`
  }
  setAdd(state.open, value)
  state.last = level
  const output = []
  const nested = (item, extra = 2) => format(state, item, level + 1, indent + extra)
  parts.items?.(output, nested)
  const keys = shownKeys(value, kind)
  for (let i = 0; i < keys.length && state.size < MAX_TEXT; i++) {
    output[output.length] = property(state, value, keys[i], nested)
  }
  parts.last?.(output, nested)
  setDelete(state.open, value)
  const number = state.references === undefined ? undefined : mapGet(state.references, value)
  const prefix = (number === undefined ? '' : `<ref *${number}> `) + parts.prefix
  if (output.length === 0 && parts.base !== undefined)
    return (number === undefined ? '' : `<ref *${number}> `) + parts.base
  const [open, close] = kind === 'Array' || kind === 'TypedArray' ? '[]' : '{}'
  const start = `${parts.base === undefined ? prefix : `${parts.base} `}${open}`
  if (output.length === 0) return start + close
  return lines(state, output, start, close, level, indent, kind)
}

function lines(state, output, start, close, level, indent, kind) {
  let size = output.length * 2 + start.length + indent
  let broken = false
  for (let i = 0; i < output.length; i++) {
    size += output[i].length
    broken ||= matches(/\n/, output[i])
  }
  const isList = (kind === 'Array' || kind === 'TypedArray') && output.length > 6
  if (state.last - level < 3 && !broken && size <= LINE && !isList)
    return `${start} ${join(output, ', ')} ${close}`
  const margin = `\n${' '.repeat(indent)}`
  const rows = isList && !broken ? fill(output, indent) : output
  return `${start}${margin}  ${join(rows, `,${margin}  `)}${margin}${close}`
}

/** Several short items on each line. */
function fill(items, indent) {
  const rows = []
  for (let i = 0; i < items.length; i++) {
    const row = rows.length - 1
    const fits = row >= 0 && rows[row].length + items[i].length + indent + 4 <= LINE
    if (fits && i % 16 !== 0) rows[row] += `, ${items[i]}`
    else rows[row + 1] = items[i]
  }
  return rows
}

function shownKeys(value, kind) {
  const all = ownKeys(value)
  const keys = []
  const isList = kind === 'Array' || kind === 'TypedArray' || kind === 'String'
  for (let i = 0; i < all.length; i++) {
    const key = all[i]
    if (isList && typeof key === 'string' && matches(/^(?:0|[1-9]\d*)$/, key)) continue
    if (kind === 'Error' && key === 'cause') continue
    if (getOwnPropertyDescriptor(value, key)?.enumerable) keys[keys.length] = key
  }
  return keys
}

export function property(state, value, key, nested) {
  const name =
    typeof key === 'symbol' ? `[${symbolText(key)}]` : matches(IDENTIFIER, key) ? key : quote(key)
  const descriptor = getOwnPropertyDescriptor(value, key)
  if ('value' in descriptor) return `${name}: ${nested(descriptor.value)}`
  if (descriptor.set === undefined) return `${name}: [Getter]`
  return `${name}: ${descriptor.get === undefined ? '[Setter]' : '[Getter/Setter]'}`
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

function partsOf(state, value, kind) {
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
        prefix: `${name || kind}(${size}) `,
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
      return errorText(state, value, name)
    case 'Boolean':
    case 'Number':
    case 'String':
    case 'BigInt':
      return { base: `[${kind}: ${inspect(value.valueOf())}]`, prefix: '' }
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
    out[1] = 'byteLength: 0'
    return
  }
  const size = bufferByteLength(value)
  const bytes = new Uint8Array(value, 0, Math.min(size, 50))
  const hex = []
  for (let i = 0; i < bytes.length; i++) hex[i] = (bytes[i] < 16 ? '0' : '') + bytes[i].toString(16)
  const rest = size - bytes.length
  out[0] = `[Uint8Contents]: <${join(hex, ' ')}${rest > 0 ? ` ... ${rest} more byte${rest === 1 ? '' : 's'}` : ''}>`
  out[1] = `byteLength: ${size}`
}

function functionName(value) {
  const own = getOwnPropertyDescriptor(value, 'name')?.value
  const name = typeof own === 'string' ? own : ''
  if (matches(/^class\b/, functionText(value))) {
    const parent = getPrototypeOf(value)
    const parentName =
      typeof parent === 'function' ? getOwnPropertyDescriptor(parent, 'name')?.value : ''
    return `[class ${name || '(anonymous)'}${parentName ? ` extends ${parentName}` : ''}]`
  }
  const type = nameOf(value) || 'Function'
  return `[${type}${name === '' ? ' (anonymous)' : `: ${name}`}]`
}
void split
