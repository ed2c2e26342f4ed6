/**
 * Applies one schema to one value. One file, because the rules for arrays, objects and combined forms apply schemas
 * again.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-10
 */
import { isObject } from 'ftl-contract'
import { checkNumber, checkSize, checkString, limitIn, matches } from './check-scalar.ts'
import { areUnique, includes } from './equal.ts'
import { resolve, resourceAt } from './references.ts'
import {
  attempt,
  enter,
  fail,
  type Finding,
  invalid,
  isDone,
  leave,
  listIn,
  namesIn,
  type Resource,
  type Run,
  type Schema,
  type Seen,
  step,
  UNIT,
} from './validation-state.ts'

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
function addSeen(run: Run, more: Seen, seen: Seen | undefined): void {
  if (!seen) return
  step(run, more.size * 4 * UNIT)
  more.forEach((key) => seen.add(key))
}

/** Applies a schema to a part of the current value. */
function checkPart(run: Run, schema: unknown, part: unknown, key: string | number): void {
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
  // What many servers write who have their schemas from OpenAPI 3.0.
  const isNullable = value === null && schema.nullable === true
  if (type !== undefined && !isNullable && !hasType(value, type)) {
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

/** Schemas that combine other schemas: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
function checkForms(run: Run, schema: Schema, value: unknown): void {
  const { allOf, anyOf, oneOf } = schema
  if (allOf !== undefined) for (const form of listIn(run, allOf)) check(run, form, value)
  if (anyOf !== undefined) choose(run, anyOf, value, false)
  if (oneOf !== undefined) choose(run, oneOf, value, true)
  if (schema.not !== undefined && !mismatch(run, schema.not, value)) {
    fail(run, 'has a form the schema excludes')
  }
  if (schema.if !== undefined) {
    check(run, (mismatch(run, schema.if, value) ? schema.else : schema.then) ?? true, value)
  }
}

/** Why a part of the value does not match the form; `undefined` if it matches. */
function mismatchOfPart(
  run: Run,
  form: unknown,
  part: unknown,
  key: string | number,
): Finding | undefined {
  const { seen } = run
  run.seen = undefined
  const finding = attempt(run, () => checkPart(run, form, part, key))
  run.seen = seen
  return finding
}

/** Why the value does not match the form. Parts that a failing form has evaluated do not count as seen. */
function mismatch(run: Run, form: unknown, value: unknown): Finding | undefined {
  const { seen } = run
  const added = (run.seen = seen && new Set())
  const finding = attempt(run, () => check(run, form, value))
  run.seen = seen
  if (!finding && added) addSeen(run, added, seen)
  return finding
}

function choose(run: Run, forms: unknown, value: unknown, onlyOne: boolean): void {
  if (isDone(run)) return
  const types = new Set<string>()
  const close: unknown[] = []
  let fitting = 0
  for (const form of listIn(run, forms)) {
    step(run, 4 * UNIT)
    const finding = mismatch(run, form, value)
    if (!finding) {
      // anyOf stops at the first match unless `unevaluated…` needs the parts seen by all matches; oneOf at the second.
      if (++fitting > 1 ? onlyOne : !onlyOne && !run.seen) break
    } else if (finding.types && finding.level === run.path.length) types.add(finding.types)
    else close.push(form)
  }
  if (onlyOne ? fitting === 1 : fitting) return
  // Of all forms but one the type is wrong: then that one is meant, and what it says of the value helps.
  if (!fitting && close.length === 1 && run.enough > 1) return check(run, close[0], value)
  // The errors of all forms together are too many to be useful, so only their types are reported.
  const names = [...types].join(' or ')
  const only = fitting ? 'only ' : ''
  if (names && close.length === 0 && !fitting) fail(run, `must be ${names}`, undefined, names)
  else fail(run, `must have ${only}one of the forms the schema allows`)
}

/** @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.4 */
function checkArray(run: Run, schema: Schema, value: readonly unknown[]): void {
  const { items, contains, unevaluatedItems: unevaluated } = schema
  const { length } = value
  checkSize(run, schema.minItems, schema.maxItems, length, 'item')
  if (schema.uniqueItems === true && !areUnique(run, value)) fail(run, 'must not have equal items')

  // A tuple in the form of the older drafts is understood in every dialect: authors often name none.
  const isOldTuple = Array.isArray(items)
  const heads = listIn(run, isOldTuple ? items : run.dialect > 2019 ? schema.prefixItems : [])
  const rest = isOldTuple ? schema.additionalItems : items
  const until = rest === undefined ? Math.min(heads.length, length) : length
  for (let index = 0; index < until && !isDone(run); index++) {
    checkPart(run, index < heads.length ? heads[index] : rest, value[index], index)
  }
  if (contains !== undefined) checkContains(run, schema, value)
  if (!run.seen || unevaluated === undefined) return
  for (let index = 0; index < length; index++) {
    if (!run.seen.has(index)) checkPart(run, unevaluated, value[index], index)
  }
}

function checkContains(run: Run, schema: Schema, value: readonly unknown[]): void {
  const { dialect } = run
  const { minContains = 1, maxContains } = dialect > 7 ? schema : {}
  const least = limitIn(run, minContains)
  const most = limitIn(run, maxContains)
  let found = 0
  value.forEach((item, index) => {
    if (mismatchOfPart(run, schema.contains, item, index)) return
    found++
    if (dialect > 2019) run.seen?.add(index)
  })
  const some = least === 1 ? 'an item' : 'at least * items'
  if (found < least) fail(run, `must contain ${some} the schema asks for`, [least])
  const few = most === 1 ? 'item' : 'items'
  if (found > most) fail(run, `must contain at most * ${few} the schema asks for`, [most])
}

/**
 * Only an object's own properties count: `constructor` is a name like any other.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.5
 */
function checkObject(run: Run, schema: Schema, value: Record<string, unknown>): void {
  const keys = Object.keys(value)
  step(run, keys.length * 2 * UNIT)
  const { propertyNames } = schema
  for (const name of namesIn(run, schema.required)) {
    if (Object.hasOwn(value, name)) continue
    run.path.push(name)
    fail(run, 'is required')
    run.path.pop()
  }
  checkSize(run, schema.minProperties, schema.maxProperties, keys.length, 'property')
  for (const key of propertyNames === undefined ? [] : keys) {
    const isWrong = mismatchOfPart(run, propertyNames, key, key)
    if (isWrong) fail(run, 'must not have a property named *', [key])
  }
  checkDependencies(run, schema, value)
  checkProperties(run, schema, value, keys)
}

function checkProperties(
  run: Run,
  schema: Schema,
  value: Record<string, unknown>,
  keys: readonly string[],
): void {
  const { additionalProperties: additional, unevaluatedProperties: unevaluated } = schema
  const checkKey = (schema: unknown, key: string) => checkPart(run, schema, value[key], key)
  const known = mapIn(run, schema.properties)
  const names = Object.keys(known)
  step(run, names.length * 4 * UNIT)
  for (const key of names) if (Object.hasOwn(value, key)) checkKey(known[key], key)
  if ((schema.patternProperties ?? additional) !== undefined) {
    const patterns = Object.entries(mapIn(run, schema.patternProperties))
    for (const key of keys) {
      let isKnown = Object.hasOwn(known, key)
      for (const [pattern, form] of patterns) {
        if (!matches(run, pattern, key)) continue
        isKnown = true
        checkKey(form, key)
      }
      if (!isKnown && additional !== undefined) checkKey(additional, key)
    }
  }
  if (!run.seen || unevaluated === undefined) return
  for (const key of keys) if (!run.seen.has(key)) checkKey(unevaluated, key)
}

function checkDependencies(run: Run, schema: Schema, value: Record<string, unknown>): void {
  // In 2019-09 `dependencies` became two keywords; authors still write it.
  const maps = [schema.dependencies]
  if (run.dialect > 7) maps.push(schema.dependentRequired, schema.dependentSchemas)
  for (const map of maps) {
    if (map === undefined) continue
    for (const [key, needs] of Object.entries(mapIn(run, map))) {
      step(run, 16 * UNIT)
      if (!Object.hasOwn(value, key)) continue
      if (!Array.isArray(needs)) check(run, needs, value)
      else {
        for (const name of namesIn(run, needs)) {
          if (!Object.hasOwn(value, name)) fail(run, `needs "${name}" because it has *`, [key])
        }
      }
    }
  }
}

function mapIn(run: Run, value: unknown): Schema {
  if (value === undefined) return {}
  if (!isObject(value)) throw invalid(run)
  return value
}
