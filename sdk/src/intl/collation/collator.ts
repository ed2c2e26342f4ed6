import { callable } from '../text/builtin.ts'
import { byLocale } from '../text/by-locale.ts'
import { readMatcher, resolveLocale, supportedLocalesOf } from '../text/locales.ts'
import { booleanOption, coerceOptions, stringOption, toText } from '../text/options.ts'
import { compareText, type Comparison } from './compare.ts'

interface CollatorOptions extends Comparison {
  locale: string
  usage: string
}

/** https://tc39.es/ecma402/#collator-objects */
class TextCollator {
  readonly #options: CollatorOptions
  #compare: ((left: unknown, right: unknown) => number) | undefined

  constructor(locales?: unknown, options?: unknown) {
    this.#options = readOptions(locales, options)
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  get compare(): (left: unknown, right: unknown) => number {
    const options = this.#options
    this.#compare ??= (left, right) => compareText(toText(left), toText(right), options)
    return this.#compare
  }

  resolvedOptions(): Record<string, unknown> {
    const { locale, usage, sensitivity, ignorePunctuation, numeric, caseFirst } = this.#options
    return {
      ...{ locale, usage, sensitivity, ignorePunctuation },
      ...{ collation: 'default', numeric, caseFirst },
    }
  }
}

export const Collator = callable('Collator', TextCollator)

/** What `localeCompare` returns. */
export function compareInLocale(
  left: string,
  right: string,
  locales: unknown,
  options: unknown,
): number {
  return compareText(left, right, optionsOf(locales, options))
}

const optionsOf = byLocale(readOptions)

function readOptions(locales: unknown, given: unknown): CollatorOptions {
  const options = coerceOptions(given)
  const usage = stringOption(options, 'usage', ['sort', 'search'], 'sort')
  readMatcher(options)
  stringOption(options, 'collation')
  const kn = booleanOption(options, 'numeric')
  const kf = stringOption(options, 'caseFirst', ['upper', 'lower', 'false'])
  const { locale, keywords } = resolveLocale(
    locales,
    { kf: ['upper', 'lower', 'false'], kn: ['true', 'false'] },
    { kf, kn: kn === undefined ? undefined : String(kn) },
  )
  const sensitivity = stringOption(
    options,
    'sensitivity',
    ['base', 'accent', 'case', 'variant'],
    'variant',
  )
  return {
    locale,
    usage,
    sensitivity,
    ignorePunctuation: booleanOption(options, 'ignorePunctuation') ?? false,
    numeric: keywords.get('kn') === 'true',
    caseFirst: keywords.get('kf') ?? 'false',
  }
}
