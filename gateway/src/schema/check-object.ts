/**
 * The rules for objects. Only an object's own properties count: `constructor` is a name like any other.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.5
 */
import { isObject } from '../values.ts'
import { check, checkPart } from './check.ts'
import { misfitPart } from './check-forms.ts'
import { checkSize, matches } from './check-scalar.ts'
import { fail, invalid, namesIn, type Run, type Schema, step, UNIT } from './run.ts'

export function checkObject(run: Run, schema: Schema, value: Record<string, unknown>): void {
  const keys = Object.keys(value)
  step(run, keys.length * 2 * UNIT)
  const { propertyNames } = schema
  for (const name of namesIn(run, schema.required)) {
    if (Object.hasOwn(value, name)) continue
    run.path.push(name)
    fail(run, 'is required')
    run.path.pop()
  }
  checkSize(run, schema.minProperties, schema.maxProperties, keys.length, 'properties')
  for (const key of propertyNames === undefined ? [] : keys) {
    const isWrong = misfitPart(run, propertyNames, key, key)
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
  const look = (schema: unknown, key: string) => checkPart(run, schema, value[key], key)
  const known = mapIn(run, schema.properties)
  const names = Object.keys(known)
  step(run, names.length * 4 * UNIT)
  for (const key of names) if (Object.hasOwn(value, key)) look(known[key], key)
  if ((schema.patternProperties ?? additional) !== undefined) {
    const patterns = Object.entries(mapIn(run, schema.patternProperties))
    for (const key of keys) {
      let isKnown = Object.hasOwn(known, key)
      for (const [pattern, form] of patterns) {
        if (!matches(run, pattern, key)) continue
        isKnown = true
        look(form, key)
      }
      if (!isKnown && additional !== undefined) look(additional, key)
    }
  }
  if (!run.seen || unevaluated === undefined) return
  for (const key of keys) if (!run.seen.has(key)) look(unevaluated, key)
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
