/** Reads options as ECMA-402 does, with its errors: https://tc39.es/ecma402/#sec-getoption. */

export type Options = Readonly<Record<string, unknown>>

/** @throws {TypeError} of `null`. Other values that are not objects have no options, as the specification says. */
export function coerceOptions(value: unknown): Options {
  if (value === undefined) return Object.create(null) as Options
  if (value === null) throw new TypeError('the options must be an object, not null')
  return Object(value) as Options
}

/** @throws {TypeError} of what is not an object. */
export function objectOptions(value: unknown): Options {
  if (value === undefined) return Object.create(null) as Options
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    throw new TypeError('the options must be an object')
  }
  return value as Options
}

/** A string; with `values`, one of them. @throws {RangeError} */
export function stringOption(
  options: Options,
  name: string,
  values: readonly string[] | undefined,
  fallback: string,
): string
export function stringOption(
  options: Options,
  name: string,
  values?: readonly string[],
): string | undefined
export function stringOption(
  options: Options,
  name: string,
  values?: readonly string[],
  fallback?: string,
): string | undefined {
  const value = options[name]
  if (value === undefined) return fallback
  const text = toText(value)
  if (values && !values.includes(text)) {
    throw new RangeError(`the option ${name} must be one of ${values.join(', ')}`)
  }
  return text
}

export function booleanOption(options: Options, name: string): boolean | undefined {
  const value = options[name]
  return value === undefined ? undefined : Boolean(value)
}

/** A whole number in the range. @throws {RangeError} */
export function numberOption(
  value: unknown,
  name: string,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined
  const number = toNumber(value)
  if (!(number >= least && number <= most)) {
    throw new RangeError(`the option ${name} must be a number from ${least} to ${most}`)
  }
  return Math.floor(number)
}

/** Like `String(value)`, but a symbol throws a TypeError. */
export function toText(value: unknown): string {
  return `${value as string}`
}

/** @throws {TypeError} of a symbol and of a bigint. */
export function toNumber(value: unknown): number {
  return +(value as number)
}
