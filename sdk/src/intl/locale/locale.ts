import {
  FRIDAY_FIRST,
  FRIDAY_WEEKEND,
  LIKELY,
  SATURDAY_FIRST,
  SUNDAY_FIRST,
} from '../data/locales.ts'
import { isTypeName } from '../number/number-options.ts'
import { named } from '../text/builtin.ts'
import { baseName, parseTag, tagText, type LanguageTag } from '../text/language-tag.ts'
import { coerceOptions, stringOption, toText } from '../text/options.ts'

const KEYWORDS = [
  ['calendar', 'ca'],
  ['collation', 'co'],
  ['firstDayOfWeek', 'fw'],
  ['hourCycle', 'hc'],
  ['caseFirst', 'kf'],
  ['numeric', 'kn'],
  ['numberingSystem', 'nu'],
] as const
const VALUES: Readonly<Record<string, readonly string[]>> = {
  hc: ['h11', 'h12', 'h23', 'h24'],
  kf: ['upper', 'lower', 'false'],
}
const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo']

/** https://tc39.es/ecma402/#locale-objects */
class LocaleTag {
  readonly #tag: LanguageTag

  constructor(given: unknown, options?: unknown) {
    if (typeof given !== 'string' && (typeof given !== 'object' || given === null)) {
      throw new TypeError('a locale must be a string or an object')
    }
    this.#tag = parseTag(toText(given))
    applyOptions(this.#tag, coerceOptions(options))
  }

  toString(): string {
    return tagText(this.#tag)
  }

  maximize(): LocaleTag {
    return this.#with(maximized(this.#tag))
  }

  minimize(): LocaleTag {
    const full = tagText({ ...maximized(this.#tag), keywords: new Map(), others: [] })
    const { language, script, region } = maximized(this.#tag)
    for (const shorter of [{}, { region }, { script }]) {
      const tag = { ...this.#tag, language, script: '', region: '', ...shorter }
      if (tagText({ ...maximized(tag), keywords: new Map(), others: [] }) === full) {
        return this.#with(tag)
      }
    }
    return this.#with(this.#tag)
  }

  #with(tag: LanguageTag): LocaleTag {
    return new LocaleTag(tagText(tag))
  }

  get baseName() {
    return baseName(this.#tag)
  }

  get language() {
    return this.#tag.language
  }

  get script() {
    return this.#tag.script || undefined
  }

  get region() {
    return this.#tag.region || undefined
  }

  get variants() {
    return this.#tag.variants.join('-') || undefined
  }

  get calendar() {
    return this.#tag.keywords.get('ca')
  }

  get collation() {
    return this.#tag.keywords.get('co')
  }

  get firstDayOfWeek() {
    return this.#tag.keywords.get('fw')
  }

  get hourCycle() {
    return this.#tag.keywords.get('hc')
  }

  get caseFirst() {
    return this.#tag.keywords.get('kf')
  }

  get numeric() {
    const value = this.#tag.keywords.get('kn')
    return value === '' || value === 'true'
  }

  get numberingSystem() {
    return this.#tag.keywords.get('nu')
  }

  getCalendars() {
    return [this.calendar ?? 'gregory']
  }

  getNumberingSystems() {
    return [this.numberingSystem ?? 'latn']
  }

  getHourCycles() {
    const { language, region } = maximized(this.#tag)
    return [this.hourCycle ?? (language === 'en' && region !== 'GB' ? 'h12' : 'h23')]
  }

  getTextInfo() {
    const { script } = maximized(this.#tag)
    return { direction: RIGHT_TO_LEFT.includes(script) ? 'rtl' : 'ltr' }
  }

  getWeekInfo() {
    const { region } = maximized(this.#tag)
    const firsts = [FRIDAY_FIRST, SATURDAY_FIRST, SUNDAY_FIRST]
    const index = firsts.findIndex((regions) => regions.split(' ').includes(region))
    const weekend = FRIDAY_WEEKEND.split(' ').includes(region) ? [5, 6] : [6, 7]
    return { firstDay: index < 0 ? 1 : index + 5, weekend }
  }
}

export const Locale = named('Locale', LocaleTag)

function maximized(tag: LanguageTag): LanguageTag {
  const language = tag.language === 'und' ? 'en' : tag.language
  const likely = ` ${LIKELY} `
  const at = likely.indexOf(` ${language}-`)
  if (at < 0) return tag
  const [, script = '', region = ''] = likely.slice(at + 1, likely.indexOf(' ', at + 1)).split('-')
  return { ...tag, language, script: tag.script || script, region: tag.region || region }
}

/** @throws {RangeError} of a value that does not have the form of a subtag. */
function applyOptions(tag: LanguageTag, options: Readonly<Record<string, unknown>>): void {
  for (const name of ['language', 'script', 'region'] as const) {
    const value = stringOption(options, name)
    if (value === undefined) continue
    const one = parseTag(name === 'language' ? value : `und-${value}`)
    if (
      one[name] === '' ||
      baseName(one) !== (name === 'language' ? one.language : `und-${one[name]}`)
    ) {
      throw new RangeError(`the option ${name} is not one`)
    }
    tag[name] = one[name]
  }
  for (const [name, key] of KEYWORDS) {
    const value = stringOption(options, name, VALUES[key])
    if (value === undefined) continue
    if (key === 'kn') tag.keywords.set(key, options[name] ? '' : 'false')
    else if (key === 'hc' || key === 'kf' || isTypeName(value))
      tag.keywords.set(key, value.toLowerCase())
    else throw new RangeError(`the option ${name} does not have the form of one`)
  }
}
