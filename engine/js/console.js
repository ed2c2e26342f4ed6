/** https://console.spec.whatwg.org, printed through `print(level, text)`. No call throws. */
import {
  SafeMap,
  isArray,
  mapDelete,
  mapGet,
  mapSet,
  objectKeys,
  replaceAll,
  slice,
  toStringTag,
} from './primordials.js'
import { define, isObject, toText } from './web-idl.js'
import { print } from './host.js'
import { inspect } from './inspect.js'
import { formatText } from './format-text.js'
import { tableText } from './console-table.js'

const { performance } = globalThis
const counts = new SafeMap()
const timers = new SafeMap()
let margin = ''

function write(level, text) {
  print(level, margin === '' ? text : margin + replaceAll(text, /\n/g, `\n${margin}`))
}
const log = (level, values) => write(level, formatText(values))

const labelOf = (values) =>
  values.length === 0 || values[0] === undefined ? 'default' : toText(values[0])
const elapsed = (label) => {
  const start = mapGet(timers, label)
  if (start === undefined) write('warn', `Timer '${label}' does not exist`)
  return start === undefined ? undefined : `${label}: ${duration(performance.now() - start)}`
}
const duration = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${ms.toFixed(3)}ms`)

const methods = {
  debug: (...values) => log('debug', values),
  log: (...values) => log('log', values),
  info: (...values) => log('info', values),
  warn: (...values) => log('warn', values),
  error: (...values) => log('error', values),
  dirxml: (...values) => log('log', values),
  trace(...values) {
    const text = formatText(values)
    const { stack } = new Error()
    write(
      'error',
      `Trace${text === '' ? '' : `: ${text}`}\n${replaceAll(`${stack}`, /^.*\n|\s+$/g, '')}`,
    )
  },
  assert(condition = false, ...values) {
    if (condition) return
    if (typeof values[0] === 'string') values[0] = `Assertion failed: ${values[0]}`
    else values = ['Assertion failed', ...slice(values)]
    log('error', values)
  },
  dir: (value = undefined, options = undefined) =>
    write('log', inspect(value, isObject(options) ? options : undefined)),
  table(data = undefined, columns = undefined) {
    const text = isObject(data)
      ? tableText(data, isArray(columns) ? columns : undefined)
      : undefined
    if (text === undefined) log('log', [data])
    else write('log', text)
  },
  count(...values) {
    const label = labelOf(values)
    const count = (mapGet(counts, label) ?? 0) + 1
    mapSet(counts, label, count)
    write('info', `${label}: ${count}`)
  },
  countReset(...values) {
    const label = labelOf(values)
    if (!mapDelete(counts, label)) write('warn', `Count for '${label}' does not exist`)
  },
  time(...values) {
    const label = labelOf(values)
    if (mapGet(timers, label) !== undefined) write('warn', `Timer '${label}' exists already`)
    else mapSet(timers, label, performance.now())
  },
  timeLog(...values) {
    const text = elapsed(labelOf(values))
    if (text !== undefined)
      write('info', values.length > 1 ? `${text} ${formatText(slice(values, 1), true)}` : text)
  },
  timeEnd(...values) {
    const label = labelOf(values)
    const text = elapsed(label)
    mapDelete(timers, label)
    if (text !== undefined) write('info', text)
  },
  group(...values) {
    if (values.length > 0) log('log', values)
    margin += '  '
  },
  groupCollapsed: (...values) => methods.group(...values),
  groupEnd() {
    margin = margin.slice(2)
  },
  clear() {},
}

const console = Object.create(Object.create(Object.prototype))
for (const name of objectKeys(methods)) {
  const method = methods[name]
  // A log statement must never change what the program does.
  const quiet = {
    [name](...values) {
      try {
        method(...values)
      } catch (error) {
        print('error', `[console.${name} failed: ${inspect(error, { depth: 0 })}]`)
      }
    },
  }[name]
  define(console, name, quiet, true)
}
Object.defineProperty(console, toStringTag, { value: 'console', configurable: true })
define(globalThis, 'console', console)
