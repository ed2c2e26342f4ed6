/**
 * Many programs ask for a date in Swedish or in Canadian English to get 2026-03-05. So these locales get that order of
 * digits; all else in them is as in American English.
 */
import { canonicalLocales } from '../text/locales.ts'
import type { Pattern } from './pattern.ts'

const LOCALES: ReadonlyMap<string, string> = new Map([
  ['sv', 'sv'],
  ['sv-SE', 'sv'],
  ['en-CA', 'en-CA'],
])
const DATE = /%M\/%d\/%y|%M\/%d|%M\/%y/

/** `sv`, `en-CA` or empty. */
export function isoOrder(locales: unknown): string {
  const [first = ''] = canonicalLocales(locales)
  return LOCALES.get(first) ?? ''
}

export function orderAsIso(pattern: Pattern, iso: string): void {
  const { fields } = pattern
  pattern.text = pattern.text.replace(DATE, (date) => {
    if (fields.month === undefined) return date
    fields.month = '2-digit'
    if (date.includes('%d')) fields.day = '2-digit'
    if (!date.includes('%y')) return '%M-%d'
    // The style short has the whole year.
    if (fields.day !== undefined) fields.year = 'numeric'
    return date.includes('%d') ? '%y-%M-%d' : '%y-%M'
  })
  if (iso === 'sv') pattern.text = pattern.text.replace(/(%d), (?=%h|%m|%s)/, '$1 ')
}
