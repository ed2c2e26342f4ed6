/**
 * The rules for numbers and strings.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.2
 */
import { urlIn } from 'ftl-http'
import { Pattern, UnusablePattern } from './pattern/pattern.ts'
import { fail, invalid, type Run, type Schema, step, UNIT, unusable } from './validation-state.ts'

/** The limit, or NaN without one, because every comparison with NaN is false. @throws {UnusableSchema} */
export function limitIn(run: Run, limit: unknown): number {
  if (limit === undefined || limit === false) return NaN
  if (typeof limit !== 'number') throw invalid(run)
  return limit
}

/** What can be counted, as one and as several. */
const COUNTED = {
  character: 'characters',
  item: 'items',
  property: 'properties',
}

/** Checks the number of characters, items or properties. */
export function checkSize(
  run: Run,
  min: unknown,
  max: unknown,
  size: number,
  one: keyof typeof COUNTED,
): void {
  if ((min ?? max) === undefined) return
  const least = limitIn(run, min)
  const most = limitIn(run, max)
  if (size < least) fail(run, `must have at least * ${least === 1 ? one : COUNTED[one]}`, [least])
  if (size > most) fail(run, `must have at most * ${most === 1 ? one : COUNTED[one]}`, [most])
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
  // 0.0075 / 0.0001 is 75.00000000000001: a rounding error in the last bits must not count as a remainder.
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 2 ** -50
}

/**
 * Maximum characters to match with a pattern; longer strings are invalid. The engine of a component stores every
 * backtracking position, and aborts the component when memory runs out (Zod's base64 pattern: 3 million characters).
 */
const MAX_MATCHED = 2_000_000

/** Characters that the engine processes in one unit of work. */
const PER_UNIT = 16

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/
const PAIRS = new RegExp(PAIR, 'g')

/** Counts code points: a character outside the basic plane has a `length` of 2. */
function countCharacters(run: Run, value: string): number {
  const { length } = value
  // Most strings have no surrogate pair, and the engine detects this quickly.
  if (value.search(PAIR) < 0) return length
  step(run, length * UNIT)
  return length - (value.match(PAIRS)?.length ?? 0)
}

export function checkString(run: Run, schema: Schema, value: string): void {
  const { minLength, maxLength, pattern, format } = schema
  const { length } = value
  step(run, (length / PER_UNIT) * UNIT)
  if ((minLength ?? maxLength) !== undefined) {
    checkSize(run, minLength, maxLength, countCharacters(run, value), 'character')
  }
  if (pattern !== undefined) {
    if (length > MAX_MATCHED) fail(run, 'is too long for the pattern in the schema')
    else if (!matches(run, pattern, value)) fail(run, 'must match the pattern in the schema')
  }
  if (typeof format === 'string' && FORMATS.get(format)?.(value) === false) {
    fail(run, `must be a valid ${format}`)
  }
}

/**
 * Whether a `pattern` is found in `text`.
 *
 * @throws {UnusableSchema}
 * @throws {TooMuch}
 */
export function matches(run: Run, source: unknown, text: string): boolean {
  if (typeof source !== 'string') throw invalid(run)
  try {
    let pattern = run.patterns.get(source)
    if (!pattern) run.patterns.set(source, (pattern = new Pattern(source)))
    return pattern.test(text, (units) => step(run, (units + PER_TEST) * UNIT))
  } catch (error) {
    if (!(error instanceof UnusablePattern)) throw error
    throw unusable(run, `its pattern "${source}" ${error.message}`)
  }
}

/** Units of work of one match, however short. */
const PER_TEST = 4

// Each of these takes linear time, whatever a client sends.
const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const HOSTNAME = /^(?!.{254})[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i
const MAILBOX = /^("([^"\\]|\\.)+"|[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*)$/
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/
const NOT_IN_URI = /[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\da-f]{2})/i
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

type Test = (text: string) => boolean

const matching =
  (pattern: RegExp): Test =>
  (text) =>
    pattern.test(text)

// The engine has a parser of addresses.
const isUrl: Test = (text) => urlIn(text, 'a://b') !== undefined

// A day that is not in the calendar becomes another one or none.
const isDate: Test = (text) =>
  DATE.test(text) && !!new Date(`${text}T00:00Z`).toJSON()?.startsWith(text)
const isTime = matching(TIME)
const isHostname = matching(HOSTNAME)

/**
 * The formats that are checked; any other is an annotation only.
 *
 * JSON Schema leaves open whether a format is a rule. These are checked because callers often get them wrong. Where the
 * full grammar is long, more is accepted than it allows.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
const FORMATS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['date', isDate],
  ['time', isTime],
  [
    'date-time',
    (text) => /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  ],
  [
    'email',
    (text) => {
      const at = text.lastIndexOf('@')
      const host = text.slice(at + 1)
      return (
        at > 0 &&
        at < 65 &&
        MAILBOX.test(text.slice(0, at)) &&
        (isHostname(host) || /^\[[\w:.]+\]$/.test(host))
      )
    },
  ],
  ['hostname', isHostname],
  ['ipv4', matching(IPV4)],
  ['ipv6', (text) => /^[\da-f:.]+$/i.test(text) && isUrl(`//[${text}]`)],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && !NOT_IN_URI.test(text) && isUrl(text)],
  ['uuid', matching(UUID)],
])
