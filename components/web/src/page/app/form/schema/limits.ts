/** The limits of a schema, as a person reads them. */
import type { TextInput } from './text-input.ts'
import type { Json } from './values.ts'

const LONGEST_PATTERN = 120
/** What a person can read beside the name of a format. */
const LONGEST_BESIDE_FORMAT = 60
/** Characters of a data URL before its base64. */
const LONGEST_START = 100

/** @param input of a text. */
export function limitsOf(schema: Json, input?: TextInput): string[] {
  const { pattern, format, multipleOf, uniqueItems } = schema
  const { exclusiveMinimum, exclusiveMaximum } = schema
  const isSize = (value: unknown) => typeof value === 'number'
  return [
    range(schema['minimum'], schema['maximum'], ''),
    isSize(exclusiveMinimum) ? `More than ${exclusiveMinimum}` : '',
    isSize(exclusiveMaximum) ? `Less than ${exclusiveMaximum}` : '',
    isSize(multipleOf) ? `A multiple of ${multipleOf}` : '',
    isFile(input)
      ? fileLimit(schema, input)
      : range(schema['minLength'], schema['maxLength'], 'characters'),
    range(schema['minItems'], schema['maxItems'], 'items'),
    range(schema['minProperties'], schema['maxProperties'], 'properties'),
    uniqueItems === true ? 'No two items are equal' : '',
    typeof pattern === 'string' && !saysFormat(pattern, format)
      ? `Pattern: ${shortened(pattern)}`
      : '',
    typeof format === 'string' && !SHOWN_BY_INPUT.has(format) && !isFile(input)
      ? `Format: ${shortened(format)}`
      : '',
  ].filter((text) => text !== '')
}

/** Libraries of schemas write a format as a pattern, too, for validators that know no formats: for a person it says less. */
function saysFormat(pattern: string, format: unknown): boolean {
  if (typeof format !== 'string') return false
  return MOMENTS.has(format) || pattern.length > LONGEST_BESIDE_FORMAT
}

function isFile(input: TextInput | undefined): input is TextInput {
  return input?.type === 'file' || input?.type === 'picture'
}

/**
 * Of a file, whose bytes a person knows, and not the characters that they become. What a tool takes by an address can be larger
 * than its argument: that is a sentence of the description.
 */
function fileLimit({ maxLength, description }: Json, { uploads, encoding }: TextInput): string {
  if (uploads !== undefined) {
    const text = String(description)
    const [, sent] = /\b(\d{1,6} [KM]B) by POST \/uploads/.exec(text) ?? []
    if (sent !== undefined) return `A file of at most ${sent}`
    const sizes = [...text.matchAll(/\b(\d{1,6}) MB\b/g)].map(([, size]) => Number(size))
    return sizes.length > 0 ? `A file of at most ${Math.max(...sizes)} MB` : ''
  }
  if (typeof maxLength !== 'number') return ''
  const text = encoding === 'data-url' ? maxLength - LONGEST_START : maxLength
  const bytes = encoding === 'text' ? text : Math.floor((Math.max(text, 0) * 3) / 4)
  return `A file of at most ${inWords(bytes)}`
}

/** Rounded down, so that a file of this size fits. */
function inWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000
    ? `${Math.floor(bytes / 1000)} KB`
    : `${Math.floor(bytes / 100_000) / 10} MB`
}

/** The input of a browser permits nothing else. */
const MOMENTS = new Set(['date', 'date-time', 'time'])

const SHOWN_BY_INPUT = new Set([...MOMENTS, 'color', 'password', 'textarea', 'line'])

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
