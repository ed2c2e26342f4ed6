/** Checks and converts one literal input the way the server (Python) does. */
import { type Digits, isDigits, MAX_SEED, MAX_SEED_DIGITS, toExact } from './exact-json.ts'
import type { InputSpec } from './nodes/definition.ts'

/** One entry of `node_errors[id].errors`. */
export interface NodeProblem {
  type: string
  message: string
  details: string
  extra_info: Record<string, unknown>
}

type Converted = { value: unknown } | { problem: NodeProblem }

class ConversionError extends Error {}

/** Choices longer than this are not listed in the message. */
const MAX_LISTED = 20

/** An input as errors show it: always with its options. */
export function configOf([type, options = {}]: InputSpec): InputSpec {
  return [type, options]
}

/** @param modern whether the choices of nodes of the newer interface are compared; 0.3.64 took any. */
export function convertValue(
  name: string,
  spec: InputSpec,
  received: unknown,
  modern: boolean,
): Converted {
  const [type, options = {}] = spec
  const listed = modern && type === 'COMBO' ? (options['options'] as readonly string[]) : undefined
  const choices = typeof type === 'string' ? listed : type
  const info = { input_name: name, input_config: configOf(spec), received_value: received }
  let value: unknown
  try {
    value = typeof type === 'string' ? convert(type, received) : received
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return {
      problem: {
        type: 'invalid_input_type',
        message: `Failed to convert an input value to a ${String(type)} value`,
        details: `${name}, ${show(received)}, ${error.message}`,
        extra_info: { ...info, exception_message: error.message },
      },
    }
  }
  if (typeof value === 'number' || isDigits(value)) {
    const { min, max } = options
    const shown = show(value)
    if (min !== undefined && compare(value, min) < 0) {
      return limit(
        'value_smaller_than_min',
        `Value ${shown} smaller than min of ${min}`,
        name,
        info,
      )
    }
    if (max !== undefined && compare(value, max) > 0) {
      const most = max === MAX_SEED ? MAX_SEED_DIGITS : max
      const message = `Value ${shown} bigger than max of ${most}`
      return limit('value_bigger_than_max', message, name, info)
    }
  }
  if (choices && !choices.some((choice) => choice === value)) {
    const long = choices.length > MAX_LISTED
    const list = long
      ? `(list of length ${choices.length})`
      : `[${choices.map((item) => `'${item}'`).join(', ')}]`
    return {
      problem: {
        type: 'value_not_in_list',
        message: 'Value not in list',
        details: `${name}: ${typeof value === 'string' ? `'${value}'` : show(value)} not in ${list}`,
        extra_info: { ...info, ...(long && { input_config: null }) },
      },
    }
  }
  return { value }
}

/** Below 0: the value is smaller than the limit. */
function compare(value: number | Digits, limit: number): number {
  if (!isDigits(value)) return value - limit
  const most = limit === MAX_SEED ? BigInt(MAX_SEED_DIGITS) : limit
  const exact = BigInt(value.rawJSON)
  return exact < most ? -1 : exact > most ? 1 : 0
}

function limit(
  type: string,
  message: string,
  details: string,
  extra_info: Record<string, unknown>,
): Converted {
  return { problem: { type, message, details, extra_info } }
}

function convert(type: string, value: unknown): unknown {
  switch (type) {
    case 'INT':
      return toInteger(value)
    case 'FLOAT':
      return toFloat(value)
    case 'STRING':
      return typeof value === 'string' ? value : show(value)
    case 'BOOLEAN':
      return Boolean(value)
    default:
      return value
  }
}

function toInteger(value: unknown): number | Digits {
  if (isDigits(value)) return value
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') {
    if (/^\s*[-+]?\d+\s*$/.test(value)) return toExact(String(BigInt(value.replace('+', ''))))
    throw new ConversionError(`invalid literal for int() with base 10: '${value}'`)
  }
  throw new ConversionError(
    `int() argument must be a string, a bytes-like object or a real number, not '${pythonType(value)}'`,
  )
}

function toFloat(value: unknown): number {
  if (isDigits(value)) return Number(value.rawJSON)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') {
    if (value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
    throw new ConversionError(`could not convert string to float: '${value}'`)
  }
  throw new ConversionError(
    `float() argument must be a string or a real number, not '${pythonType(value)}'`,
  )
}

function pythonType(value: unknown): string {
  return value === null ? 'NoneType' : 'dict'
}

function show(value: unknown): string {
  if (value === null) return 'None'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
