/**
 * Applies one schema to one value.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-10
 */
import { isObject } from '../values.ts'
import { checkArray } from './check-array.ts'
import { checkForms } from './check-forms.ts'
import { checkObject } from './check-object.ts'
import { checkNumber, checkString } from './check-scalar.ts'
import { includes } from './equal.ts'
import { type Resource, resolve, resourceAt } from './references.ts'
import {
  enter,
  fail,
  invalid,
  isDone,
  leave,
  listIn,
  namesIn,
  type Run,
  type Schema,
  type Seen,
  step,
  UNIT,
} from './run.ts'

/** Applies a schema, which is part of `resource`, to the current value of the run. */
export function check(
  run: Run,
  schema: unknown,
  value: unknown,
  resource: Resource = run.scope.resource,
): void {
  if (typeof schema === 'boolean') step(run, 4 * UNIT)
  if (schema === true || isDone(run)) return
  if (schema === false) return fail(run, 'is not allowed')
  if (!isObject(schema)) throw invalid(run)
  const { scope, seen } = run
  enter(run)
  resource = resourceAt(run, schema, resource)
  if (resource !== scope.resource) run.scope = { resource, outer: scope }
  applySchema(run, schema, value)
  run.scope = scope
  if (run.seen && run.seen !== seen) addSeen(run, run.seen, seen)
  run.seen = seen
  leave(run)
}

/** Adds `more` to `seen`, if seen parts are tracked. */
export function addSeen(run: Run, more: Seen, seen: Seen | undefined): void {
  if (!seen) return
  step(run, more.size * 4 * UNIT)
  more.forEach((key) => seen.add(key))
}

/** Applies a schema to a part of the current value. */
export function checkPart(run: Run, schema: unknown, part: unknown, key: string | number): void {
  const { still, seen } = run
  seen?.add(key)
  run.seen = undefined
  run.still = 0
  run.path.push(key)
  check(run, schema, part)
  run.path.pop()
  run.still = still
  run.seen = seen
}

function applySchema(run: Run, schema: Schema, value: unknown): void {
  const { type, $ref, $dynamicRef, $recursiveRef } = schema
  // Up to draft 7 everything beside a $ref is ignored.
  if (run.dialect <= 7) {
    if ($ref !== undefined) return follow(run, $ref, value)
  } else {
    const { unevaluatedProperties, unevaluatedItems } = schema
    if ((unevaluatedProperties ?? unevaluatedItems) !== undefined) run.seen = new Set()
    if ($ref !== undefined) follow(run, $ref, value)
    if ($dynamicRef !== undefined) follow(run, $dynamicRef, value, true)
    if ($recursiveRef !== undefined) follow(run, $recursiveRef, value, true)
  }
  if (type !== undefined && !hasType(value, type)) {
    const names = namesIn(run, Array.isArray(type) ? type : [type]).join(' or ')
    fail(run, `must be ${names}`, undefined, names)
  }
  if (schema.enum !== undefined) {
    const values = listIn(run, schema.enum)
    if (!includes(run, values, value)) fail(run, 'must be one of *', values)
  }
  if (schema.const !== undefined && !includes(run, [schema.const], value)) {
    fail(run, 'must be *', [schema.const])
  }
  if (isDone(run)) return
  checkForms(run, schema, value)
  if (typeof value === 'string') checkString(run, schema, value)
  else if (typeof value === 'number') checkNumber(run, schema, value)
  else if (Array.isArray(value)) checkArray(run, schema, value)
  else if (isObject(value)) checkObject(run, schema, value)
}

function follow(run: Run, ref: unknown, value: unknown, dynamic?: boolean): void {
  const { schema, resource } = resolve(run, ref, dynamic)
  check(run, schema, value, resource)
}

function hasType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((name) => hasType(value, name))
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}
