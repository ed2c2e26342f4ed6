/** `util.format` and `util.inspect`. */
import inspectObject from 'object-inspect'

const custom = Symbol.for('nodejs.util.inspect.custom')

/** On one line, without colours; Node breaks long ones. */
export const inspect = Object.assign(
  (value: unknown, options: { depth?: number | null } | boolean = {}): string => {
    const { depth = 2 } = typeof options === 'object' ? options : {}
    return inspectObject(value, { depth: depth === null ? Infinity : depth + 1 })
  },
  { custom, defaultOptions: {}, colors: {}, styles: {} },
)

/** @see https://nodejs.org/api/util.html#utilformatformat-args */
export function format(...values: unknown[]): string {
  const [first, ...rest] = values
  if (typeof first !== 'string') return values.map(shown).join(' ')
  const text =
    rest.length === 0 ? first : first.replace(/%[sdifjoOc%]/g, (mark) => replaced(mark, rest))
  return [text, ...rest.map(shown)].join(' ')
}

export const formatWithOptions = (_options: object, ...values: unknown[]): string =>
  format(...values)

const shown = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))

/** @param rest takes the value that it writes. */
function replaced(mark: string, rest: unknown[]): string {
  if (mark === '%%') return '%'
  if (rest.length === 0) return mark
  const value = rest.shift()
  switch (mark) {
    case '%s':
      return asText(value)
    case '%d':
      return typeof value === 'bigint' ? `${value}n` : String(asNumber(value, Number))
    case '%i':
      return typeof value === 'bigint' ? `${value}n` : String(asNumber(value, Number.parseInt))
    case '%f':
      return String(typeof value === 'symbol' ? NaN : Number.parseFloat(String(value)))
    case '%j':
      return asJson(value)
    case '%c':
      return ''
    default:
      return inspect(value, { depth: 4 })
  }
}

function asText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  if (typeof value !== 'object' || value === null) return String(value)
  const hasText =
    value instanceof Error ||
    (value.toString !== Object.prototype.toString && !Array.isArray(value))
  return hasText ? (value as Date).toString() : inspect(value, { depth: 0 })
}

function asNumber(value: unknown, read: (value: string) => number): number {
  if (typeof value === 'symbol' || (typeof value === 'object' && value !== null)) return NaN
  return Object.is(value, -0) ? -0 : read(value as string)
}

function asJson(value: unknown): string {
  try {
    return String(JSON.stringify(value))
  } catch (error) {
    if (error instanceof TypeError && /circular/i.test(error.message)) return '[Circular]'
    throw error
  }
}
