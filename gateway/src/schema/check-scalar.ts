/**
 * The rules for numbers and strings.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.2
 * @module
 */
import { FORMATS } from './formats.ts'
import { fail, invalid, type Run, type Schema, unusable } from './run.ts'

/** A limit; without one NaN, beyond which nothing is. @throws {UnusableSchema} */
export function limitIn(run: Run, limit: unknown): number {
  if (limit === undefined || limit === false) return NaN
  if (typeof limit !== 'number') throw invalid(run)
  return limit
}

/** How many characters, items or properties. */
export function checkSize(run: Run, min: unknown, max: unknown, size: number, what: string): void {
  if ((min ?? max) === undefined) return
  const least = limitIn(run, min)
  const most = limitIn(run, max)
  if (size < least) fail(run, `must have at least * ${what}`, [least])
  if (size > most) fail(run, `must have at most * ${what}`, [most])
}

export function checkNumber(run: Run, schema: Schema, value: number): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const above = limitIn(run, exclusiveMinimum)
  const below = limitIn(run, exclusiveMaximum)
  const least = limitIn(run, minimum)
  const most = limitIn(run, maximum)
  const unit = limitIn(run, schema.multipleOf)
  if (value <= above) fail(run, 'must be greater than *', [above])
  if (value >= below) fail(run, 'must be less than *', [below])
  if (value < least) fail(run, 'must be at least *', [least])
  if (value > most) fail(run, 'must be at most *', [most])
  if (!isNaN(unit) && !isMultiple(value, unit)) fail(run, 'must be a multiple of *', [unit])
}

function isMultiple(value: number, unit: number): boolean {
  const times = value / unit
  // 0.0075 / 0.0001 is 75.00000000000001: what the last bits of a binary fraction say is no remainder.
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 2 ** -50
}

/**
 * Longer strings are not matched with a pattern, and so do not fit: the engine of a component keeps every place it
 * could go back to, and ends the component when it has no room (Zod's base64 pattern: at 3 million characters).
 */
const MAX_MATCHED = 2_000_000

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

export function checkString(run: Run, schema: Schema, value: string): void {
  const { minLength, maxLength, pattern, format } = schema
  const { length } = value
  if ((minLength ?? maxLength) !== undefined) {
    // A character outside the basic plane has two units of length.
    const characters = length - (value.match(PAIR)?.length ?? 0)
    checkSize(run, minLength, maxLength, characters, 'characters')
  }
  if (pattern !== undefined) {
    if (length > MAX_MATCHED) fail(run, 'is too long for the pattern in the schema')
    else if (!patternOf(run, pattern).test(value)) fail(run, 'must match the pattern in the schema')
  }
  if (typeof format === 'string' && FORMATS.get(format)?.(value) === false) {
    fail(run, `must be a valid ${format}`)
  }
}

/**
 * The expression of a `pattern`.
 *
 * There is no protection from an expression that takes exponential time, for which 30 characters are enough: it is
 * the tool's own, and the tool is trusted.
 *
 * @throws {UnusableSchema}
 */
export function patternOf(run: Run, source: unknown): RegExp {
  if (typeof source !== 'string') throw invalid(run)
  let pattern = run.patterns.get(source)
  if (!pattern) {
    // Authors write `\-` and `\_`, which the flag "u" refuses; but without it `\p{L}` means something else.
    pattern = compile(source, 'u') ?? (/\\[pu]\{/i.test(source) ? undefined : compile(source))
    if (!pattern) throw unusable(run, `its pattern "${source}" is not a regular expression here`)
    run.patterns.set(source, pattern)
  }
  return pattern
}

function compile(source: string, flags?: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return
  }
}
