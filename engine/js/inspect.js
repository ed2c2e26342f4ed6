/** Values as text for the log, in the manner of Node's `util.inspect`. It runs no getter, and a proxy shows its target. */
import {
  SafeMap,
  SafeSet,
  applyTo,
  getOwnPropertyDescriptor,
  join,
  mapGet,
  mapSet,
  matches,
  ownKeys,
  setAdd,
  setDelete,
  setHas,
  symbolText,
} from './primordials.js'
import { proxyTarget } from './host.js'
import { kindOf } from './clone-kinds.js'
import { findProperty, partsOf } from './inspect-kinds.js'
import { quote } from './quote.js'

const LINE = 72
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

function format(state, value, level, indent) {
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

function formatObject(state, given, level, indent) {
  const target = proxyTarget(given)
  if (target === undefined) return formatPlain(state, given, level, indent)
  let value = target
  for (let next = target; next !== undefined; next = proxyTarget(value)) value = next
  return `Proxy(${format(state, value, level, indent)})`
}

function formatPlain(state, value, level, indent) {
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

function formatParts(state, value, level, indent) {
  const kind = typeof value === 'function' ? 'Function' : (kindOf(value) ?? 'Other')
  const parts = partsOf(value, kind)
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
  let broken = matches(/\n/, start)
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
    if (kind === 'Error' && (key === 'cause' || key === 'stack')) continue
    if (getOwnPropertyDescriptor(value, key)?.enumerable) keys[keys.length] = key
  }
  return keys
}

function property(state, value, key, nested) {
  const name =
    typeof key === 'symbol' ? symbolText(key) : matches(IDENTIFIER, key) ? key : quote(key)
  const descriptor = getOwnPropertyDescriptor(value, key)
  if ('value' in descriptor) return `${name}: ${nested(descriptor.value)}`
  if (descriptor.set === undefined) return `${name}: [Getter]`
  return `${name}: ${descriptor.get === undefined ? '[Setter]' : '[Getter/Setter]'}`
}
