/** Which locale is used. There are three: what is asked for beside them gets the default, as the specification allows. */
import { coerceOptions, stringOption, toText } from './options.ts'
import { baseName, parseTag, tagText, type LanguageTag } from './language-tag.ts'

const AVAILABLE = ['en', 'en-US', 'en-GB']
const DEFAULT_LOCALE = 'en-US'

/** @throws {TypeError | RangeError} of what is not a list of language tags. */
export function canonicalLocales(locales: unknown): string[] {
  if (locales === undefined) return []
  if (locales === null) throw new TypeError('the locales must be a string or a list, not null')
  const list = Object(locales) as ArrayLike<unknown>
  const items =
    typeof locales === 'string' || isLocale(locales) ? [locales] : Array.from(list, checked)
  const tags = items.map((item) => tagText(parseTag(toText(item))))
  return [...new Set(tags)]
}

function checked(item: unknown): string | object {
  if (typeof item === 'string' || (typeof item === 'object' && item !== null)) return item
  throw new TypeError('a locale must be a string or an object')
}

function isLocale(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Intl.Locale]'
}

export interface Resolved {
  /** `en`, `en-US` or `en-GB`, with the keywords that are in effect. */
  locale: string
  isBritish: boolean
  keywords: Map<string, string>
}

/**
 * @param keys supported values of each keyword, such as `hc`.
 * @param overrides values of options, which come first.
 */
export function resolveLocale(
  locales: unknown,
  keys: Readonly<Record<string, readonly string[]>> = {},
  overrides: Readonly<Record<string, string | undefined>> = {},
): Resolved {
  let found = DEFAULT_LOCALE
  let asked: LanguageTag | undefined
  for (const text of canonicalLocales(locales)) {
    const tag = parseTag(text)
    const match = bestAvailable(tag)
    if (match === undefined) continue
    found = match
    asked = tag
    break
  }
  const keywords = new Map<string, string>()
  let extension = ''
  for (const [key, values] of Object.entries(keys)) {
    const wanted = asked?.keywords.has(key) ? asked.keywords.get(key) || 'true' : undefined
    const own = wanted !== undefined && values.includes(wanted) ? wanted : undefined
    const option = overrides[key]
    const override = option !== undefined && values.includes(option) ? option : undefined
    const value = override ?? own
    if (value === undefined) continue
    keywords.set(key, value)
    if (own === value) extension += value === 'true' ? `-${key}` : `-${key}-${value}`
  }
  const locale = extension === '' ? found : `${found}-u${extension}`
  return { locale, isBritish: found === 'en-GB', keywords }
}

function bestAvailable(tag: LanguageTag): string | undefined {
  let name = baseName(tag)
  while (name !== '') {
    if (AVAILABLE.includes(name)) return name
    name = name.slice(0, Math.max(0, name.lastIndexOf('-')))
  }
  return undefined
}

export function supportedLocalesOf(locales: unknown, options?: unknown): string[] {
  const list = canonicalLocales(locales)
  readMatcher(coerceOptions(options))
  return list.filter((text) => bestAvailable(parseTag(text)) !== undefined)
}

export function readMatcher(options: Readonly<Record<string, unknown>>): void {
  stringOption(options, 'localeMatcher', ['lookup', 'best fit'])
}
