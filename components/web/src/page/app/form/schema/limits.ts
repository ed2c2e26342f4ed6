/** The limits of a schema, as a person reads them. */
import type { Json } from './values.ts'

const LONGEST_PATTERN = 120

export function limitsOf(schema: Json): string[] {
  const { pattern, format, multipleOf, uniqueItems } = schema
  const { exclusiveMinimum, exclusiveMaximum } = schema
  const isSize = (value: unknown) => typeof value === 'number'
  return [
    range(schema['minimum'], schema['maximum'], ''),
    isSize(exclusiveMinimum) ? `More than ${exclusiveMinimum}` : '',
    isSize(exclusiveMaximum) ? `Less than ${exclusiveMaximum}` : '',
    isSize(multipleOf) ? `A multiple of ${multipleOf}` : '',
    range(schema['minLength'], schema['maxLength'], 'characters'),
    range(schema['minItems'], schema['maxItems'], 'items'),
    range(schema['minProperties'], schema['maxProperties'], 'properties'),
    uniqueItems === true ? 'No two items are equal' : '',
    typeof pattern === 'string' ? `Pattern: ${shortened(pattern)}` : '',
    typeof format === 'string' && !SHOWN_BY_INPUT.has(format) ? `Format: ${shortened(format)}` : '',
  ].filter((text) => text !== '')
}

const SHOWN_BY_INPUT = new Set([
  'date',
  'date-time',
  'time',
  'color',
  'password',
  'textarea',
  'line',
])

function range(least: unknown, most: unknown, what: string): string {
  const unit = what === '' ? '' : ` ${what}`
  const from = typeof least === 'number' ? least : undefined
  const to = typeof most === 'number' ? most : undefined
  if (from !== undefined && to !== undefined) {
    return from === to ? `Exactly ${from}${unit}` : `${from} to ${to}${unit}`
  }
  if (from !== undefined) return what !== '' && from <= 0 ? '' : `At least ${from}${unit}`
  return to === undefined ? '' : `At most ${to}${unit}`
}

function shortened(text: string): string {
  return text.length > LONGEST_PATTERN ? `${text.slice(0, LONGEST_PATTERN)}…` : text
}
