/** https://console.spec.whatwg.org/#formatter: `%s %d %i %f %j %o %O %c %%` in a first argument that is a string. */
import { charCodeAt, classTextOf, indexOf, substring } from './primordials.js'
import { isObject } from './web-idl.js'
import { inspect } from './inspect.js'

const number = (value) => (Object.is(value, -0) ? '-0' : `${value}`)

function asText(value) {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return number(value)
  if (!isObject(value)) return String(value)
  return classTextOf(value) ?? inspect(value, { depth: 0 })
}

function asNumber(value, convert) {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol' || isObject(value)) return 'NaN'
  return number(convert(value))
}

function asJson(value) {
  try {
    return `${JSON.stringify(value)}`
  } catch {
    return '[Circular]'
  }
}

const conversions = {
  s: asText,
  d: (value) => asNumber(value, Number),
  i: (value) => asNumber(value, parseInt),
  f: (value) => asNumber(value, parseFloat),
  j: asJson,
  o: (value) => inspect(value, { depth: 4 }),
  O: (value) => inspect(value),
  c: () => '',
}

/** @param plain formats no placeholders, as for the further values of `console.timeLog`. */
export function formatText(values, plain = false) {
  let text = ''
  let used = 0
  if (!plain && typeof values[0] === 'string') {
    used = 1
    text =
      values.length === 1
        ? values[0]
        : replacePlaceholders(
            values[0],
            () => values[used++],
            () => used < values.length,
          )
  }
  for (let i = used; i < values.length; i++) {
    const part = typeof values[i] === 'string' ? values[i] : inspect(values[i])
    text += i === 0 ? part : ` ${part}`
  }
  return text
}

function replacePlaceholders(format, next, hasNext) {
  let text = ''
  let from = 0
  for (
    let at = indexOf(format, '%');
    at !== -1 && at + 1 < format.length;
    at = indexOf(format, '%', at)
  ) {
    const letter = format[at + 1]
    if (letter === '%') {
      text += substring(format, from, at + 1)
      from = at += 2
    } else if (conversions[letter] !== undefined && charCodeAt(letter, 0) > 0x40 && hasNext()) {
      text += substring(format, from, at) + conversions[letter](next())
      from = at += 2
    } else at++
  }
  return text + substring(format, from)
}
