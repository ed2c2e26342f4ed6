/**
 * When two JSON values are the same.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2
 */
import { isNested, isObject } from 'ftl-contract'
import { type Run, step, TOO_DEEP, TooMuch, UNIT } from './validation-state.ts'

/** Whether `value` is among `values`. */
export function includes(run: Run, values: readonly unknown[], value: unknown): boolean {
  step(run, (values.length / 4) * UNIT)
  if (values.includes(value)) return true
  if (!isNested(value)) return false
  const key = keyOf(run, value)
  return values.some((other) => isNested(other) && keyOf(run, other) === key)
}

/** Whether no two of `values` are the same. */
export function areUnique(run: Run, values: readonly unknown[]): boolean {
  return new Set(values.map((value) => keyOf(run, value))).size === values.length
}

/** The JSON text with the properties in order: the same for the same values and no others. @throws {TooMuch} */
function keyOf(run: Run, value: unknown): string {
  let text
  try {
    text = JSON.stringify(value, inOrder)
  } catch {
    // The engine has no stack left. Its error has another name than that of other engines.
    throw new TooMuch(TOO_DEEP)
  }
  step(run, (text.length + 8) * UNIT)
  return text
}

function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, value[key]]))
}
