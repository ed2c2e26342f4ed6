/** `node:assert`. */
import { isDeepEqual } from './deep-equal.ts'
import { inspect } from './format.ts'

interface Details {
  message?: string | Error
  actual?: unknown
  expected?: unknown
  operator?: string
}
type Message = string | Error | undefined
type Expected = RegExp | ((error: unknown) => unknown) | object | string | undefined

export class AssertionError extends Error {
  readonly code = 'ERR_ASSERTION'
  override readonly name = 'AssertionError'
  readonly actual: unknown
  readonly expected: unknown
  readonly operator: string
  readonly generatedMessage: boolean
  constructor({ message, actual, expected, operator = 'fail' }: Details) {
    super(String(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`))
    this.actual = actual
    this.expected = expected
    this.operator = operator
    this.generatedMessage = message === undefined
  }
}

function check(holds: boolean, details: Details): void {
  if (holds) return
  if (details.message instanceof Error) throw details.message
  throw new AssertionError(details)
}

const comparison =
  (operator: string, compare: (actual: unknown, expected: unknown) => boolean) =>
  (actual: unknown, expected: unknown, message?: Message): void =>
    check(compare(actual, expected), { actual, expected, operator, message })

export const ok = (value?: unknown, message?: Message): void =>
  check(Boolean(value), { actual: value, expected: true, operator: '==', message })
export const equal = comparison('==', (a, b) => a == b || (a !== a && b !== b))
export const notEqual = comparison('!=', (a, b) => a != b && !(a !== a && b !== b))
export const strictEqual = comparison('strictEqual', Object.is)
export const notStrictEqual = comparison('notStrictEqual', (a, b) => !Object.is(a, b))
export const deepEqual = comparison('deepEqual', (a, b) => isDeepEqual(a, b, false))
export const notDeepEqual = comparison('notDeepEqual', (a, b) => !isDeepEqual(a, b, false))
export const deepStrictEqual = comparison('deepStrictEqual', (a, b) => isDeepEqual(a, b))
export const notDeepStrictEqual = comparison('notDeepStrictEqual', (a, b) => !isDeepEqual(a, b))
export const match = comparison('match', (text, pattern) =>
  (pattern as RegExp).test(text as string),
)
export const doesNotMatch = comparison(
  'doesNotMatch',
  (text, pattern) => !(pattern as RegExp).test(text as string),
)

export function fail(message: Message = 'Failed'): never {
  if (message instanceof Error) throw message
  throw new AssertionError({ message })
}

export function ifError(value: unknown): void {
  if (value === null || value === undefined) return
  const words = value instanceof Error ? value.message : inspect(value)
  fail(`ifError got unwanted exception: ${words}`)
}

export function throws(work: () => unknown, expected?: Expected, message?: string): void {
  let error: unknown
  try {
    work()
  } catch (thrown) {
    return judge(thrown, expected, message)
  }
  missing('throws', 'Missing expected exception.', error, expected, message)
}

export async function rejects(
  work: Promise<unknown> | (() => Promise<unknown>),
  expected?: Expected,
  message?: string,
): Promise<void> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (thrown) {
    return judge(thrown, expected, message)
  }
  missing('rejects', 'Missing expected rejection.', undefined, expected, message)
}

export function doesNotThrow(work: () => unknown): void {
  work()
}

export async function doesNotReject(
  work: Promise<unknown> | (() => Promise<unknown>),
): Promise<void> {
  await (typeof work === 'function' ? work() : work)
}

function missing(
  operator: string,
  words: string,
  actual: unknown,
  expected: Expected,
  message?: string,
): never {
  const own = typeof expected === 'string' ? expected : message
  throw new AssertionError({ message: own ?? words, actual, expected, operator })
}

function judge(error: unknown, expected: Expected, message?: string): void {
  if (expected === undefined || typeof expected === 'string') return
  if (expected instanceof RegExp)
    return check(expected.test(String(error)), { actual: error, expected, message })
  if (typeof expected === 'function') {
    const isClass = expected === Error || expected.prototype instanceof Error
    if (isClass ? error instanceof (expected as ErrorConstructor) : expected(error) === true) return
    throw error
  }
  for (const [key, value] of Object.entries(expected)) {
    const actual: unknown = Reflect.get(Object(error) as object, key)
    const isMatch =
      value instanceof RegExp && typeof actual === 'string'
        ? value.test(actual)
        : isDeepEqual(actual, value)
    check(isMatch, { actual, expected: value, operator: 'throws', message })
  }
}

const functions = {
  AssertionError,
  deepEqual,
  deepStrictEqual,
  doesNotMatch,
  doesNotReject,
  doesNotThrow,
  equal,
  fail,
  ifError,
  match,
  notDeepEqual,
  notDeepStrictEqual,
  notEqual,
  notStrictEqual,
  ok,
  rejects,
  strictEqual,
  throws,
}
export const strict = Object.assign(
  (value?: unknown, message?: Message) => ok(value, message),
  functions,
  {
    equal: strictEqual,
    notEqual: notStrictEqual,
    deepEqual: deepStrictEqual,
    notDeepEqual: notDeepStrictEqual,
  },
)
export default Object.assign(
  (value?: unknown, message?: Message) => ok(value, message),
  functions,
  { strict },
)
