/**
 * Checks a value by a plain JSON Schema, so that a handler never sees what its type excludes.
 *
 * The gateway checks arguments against all of JSON Schema before it calls a component; calls from other components and
 * from tests do not pass the gateway. So this module checks only the inferred types and the common limits, and leaves
 * other keywords (`not`, `if`, `format`, references to other documents) to the gateway. A value that fits the schema is
 * never rejected.
 */
import { isObject } from 'ftl-contract'
import type { StandardIssue } from './standard-schema.ts'

type Schema = Record<string, unknown>
type Key = string | number

interface Run {
  root: unknown
  issues: StandardIssue[]
  path: Key[]
}

/** Maximum nesting of applied schemas; deeper ones are not checked. */
const MAX_DEPTH = 100

export function checkJson(schema: unknown, value: unknown): StandardIssue[] {
  const run: Run = { root: schema, issues: [], path: [] }
  check(run, schema, value, 0)
  return run.issues
}

function check(run: Run, schema: unknown, value: unknown, depth: number): void {
  if (schema === false) return fail(run, 'is not allowed')
  if (!isObject(schema) || depth > MAX_DEPTH) return
  const { type, $ref, allOf, enum: values } = schema
  if (typeof $ref === 'string') return check(run, follow(run.root, $ref), value, depth + 1)
  if (type !== undefined && !list(type).some((name) => hasType(value, name))) {
    return fail(run, `expected ${list(type).join(' or ')}, got ${typeOf(value)}`)
  }
  const only = 'const' in schema ? [schema['const']] : Array.isArray(values) ? values : undefined
  if (only && !only.some((one) => mayBe(one, value))) {
    fail(run, `must be ${only.map((one) => JSON.stringify(one)).join(' or ')}`)
  }
  if (Array.isArray(allOf)) for (const form of allOf) check(run, form, value, depth + 1)
  checkForms(run, schema, value, depth)
  if (typeof value === 'string') checkString(run, schema, value)
  else if (typeof value === 'number') checkNumber(run, schema, value)
  else if (Array.isArray(value)) checkItems(run, schema, value, depth)
  else if (isObject(value)) checkProperties(run, schema, value, depth)
}

function checkForms(run: Run, { anyOf, oneOf }: Schema, value: unknown, depth: number): void {
  const forms = anyOf ?? oneOf
  if (!Array.isArray(forms)) return
  const problems = forms.map((form) => {
    const attempt: Run = { ...run, issues: [] }
    check(attempt, form, value, depth + 1)
    return attempt.issues
  })
  if (problems.length === 0 || problems.some((issues) => issues.length === 0)) return
  // If only one form fails below this level, the others reject the value itself: report that form's issues alone.
  const meant = problems.filter(([issue]) => issue?.path?.length !== run.path.length)
  if (meant.length === 1) run.issues.push(...(meant[0] ?? []))
  else fail(run, problems.map(([issue]) => issue?.message).join(', or '))
}

function checkString(run: Run, schema: Schema, value: string): void {
  const { pattern } = schema
  checkRange(run, schema, 'Length', [...value].length, ' character')
  if (typeof pattern === 'string' && toRegExp(pattern)?.test(value) === false) {
    fail(run, `must match ${pattern}`)
  }
}

// A pattern that is not valid here, or only without the `u` flag, is left to the gateway.
function toRegExp(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

function checkNumber(run: Run, schema: Schema, value: number): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema
  checkRange(run, schema, 'imum', value)
  if (typeof above === 'number' && value <= above) fail(run, `must be greater than ${above}`)
  if (typeof below === 'number' && value >= below) fail(run, `must be less than ${below}`)
}

/** Checks `min{kind}` and `max{kind}`, for example `minLength`; `unit` is one of what is counted. */
function checkRange(run: Run, schema: Schema, kind: string, is: number, unit = ''): void {
  const amount = (limit: number) => `${limit}${unit && limit !== 1 ? `${unit}s` : unit}`
  const least = schema[`min${kind}`]
  const most = schema[`max${kind}`]
  if (typeof least === 'number' && is < least) fail(run, `must be at least ${amount(least)}`)
  if (typeof most === 'number' && is > most) fail(run, `must be at most ${amount(most)}`)
}

function checkItems(run: Run, schema: Schema, value: unknown[], depth: number): void {
  const { prefixItems, items, additionalItems } = schema
  checkRange(run, schema, 'Items', value.length, ' item')
  const isOldTuple = Array.isArray(items)
  const heads = isOldTuple ? items : Array.isArray(prefixItems) ? prefixItems : []
  const rest = isOldTuple ? additionalItems : items
  value.forEach((item, index) => {
    checkPart(run, index < heads.length ? heads[index] : rest, item, index, depth)
  })
}

function checkProperties(run: Run, schema: Schema, value: Schema, depth: number): void {
  const { required, properties, additionalProperties: rest, patternProperties } = schema
  const known = isObject(properties) ? properties : {}
  for (const name of Array.isArray(required) ? (required as string[]) : []) {
    if (!Object.hasOwn(value, name)) fail(run, 'is required', [name])
  }
  for (const key of Object.keys(value)) {
    const other = patternProperties ? true : rest
    checkPart(run, Object.hasOwn(known, key) ? known[key] : other, value[key], key, depth)
  }
}

function checkPart(run: Run, schema: unknown, part: unknown, key: Key, depth: number): void {
  run.path.push(key)
  check(run, schema, part, depth + 1)
  run.path.pop()
}

function fail({ issues, path }: Run, message: string, below: Key[] = []): void {
  issues.push({ message, path: [...path, ...below] })
}

/** Resolves `#/$defs/x`; any other reference accepts every value. */
function follow(root: unknown, ref: string): unknown {
  if (!/^#(\/[^~%]*)?$/.test(ref)) return true
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], root)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function hasType(value: unknown, name: unknown): boolean {
  return name === 'integer' ? Number.isInteger(value) : name === typeOf(value)
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

// Objects in an `enum` are rare, and their keys may come in another order: they are left to the gateway.
function mayBe(one: unknown, value: unknown): boolean {
  return one === value || (typeof one === 'object' && one !== null)
}
