/** Language tags in their canonical form: https://tc39.es/ecma402/#sec-isstructurallyvalidlanguagetag. */

export interface LanguageTag {
  language: string
  script: string
  region: string
  variants: string[]
  /** Keywords of the extension `u`, by their key. */
  keywords: Map<string, string>
  attributes: string[]
  /** Other extensions, each with its singleton, and private use at the end. */
  others: string[]
}

const TAG =
  /^([a-z]{2,3}|[a-z]{5,8})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?((?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)((?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*)(-x(?:-[a-z\d]{1,8})+)?$/
/** No tag in use is a tenth as long. */
const MOST_CHARACTERS = 1000

const REPLACED: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['mo', 'ro'],
  ['tl', 'fil'],
])

/** @throws {RangeError} of what is not a language tag. */
export function parseTag(text: string): LanguageTag {
  const match = text.length <= MOST_CHARACTERS ? TAG.exec(text.toLowerCase()) : null
  const [, language = '', script = '', region = '', variants = '', extensions = ''] = match ?? []
  const tag: LanguageTag = {
    language: REPLACED.get(language) ?? language,
    script: script && script[0]?.toUpperCase() + script.slice(1),
    region: region.toUpperCase(),
    variants: variants.split('-').slice(1).sort(),
    keywords: new Map(),
    attributes: [],
    others: [],
  }
  const parts = extensions.split(/-(?=[a-z\d]-)/).slice(1)
  const singletons = new Set(parts.map((part) => part[0]))
  if (!match || singletons.size < parts.length || hasTwice(tag.variants)) {
    throw new RangeError(`Incorrect locale information provided: "${text.slice(0, 40)}"`)
  }
  for (const part of parts.sort()) {
    if (part[0] === 'u') readKeywords(part, tag)
    else tag.others.push(part)
  }
  if (match[6]) tag.others.push(match[6].slice(1))
  return tag
}

function hasTwice(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}

function readKeywords(part: string, tag: LanguageTag): void {
  let key = ''
  for (const subtag of part.split('-').slice(1)) {
    if (subtag.length === 2) {
      key = subtag
      if (tag.keywords.has(key)) key = ' '
      else tag.keywords.set(key, '')
    } else if (key === '') {
      tag.attributes.push(subtag)
    } else if (key !== ' ') {
      const before = tag.keywords.get(key)
      tag.keywords.set(key, before ? `${before}-${subtag}` : subtag)
    }
  }
}

/** Without extensions. */
export function baseName({ language, script, region, variants }: LanguageTag): string {
  return [language, script, region, ...variants].filter(Boolean).join('-')
}

export function tagText(tag: LanguageTag): string {
  const keywords = [...tag.keywords].sort(([a], [b]) => (a < b ? -1 : 1))
  const own = [
    ...tag.attributes.sort(),
    ...keywords.map(([key, value]) => (value && value !== 'true' ? `${key}-${value}` : key)),
  ]
  const extensions = own.length > 0 ? [...tag.others, `u-${own.join('-')}`] : tag.others
  // Private use stays at the end.
  const order = (text: string) => (text.startsWith('x-') ? `~${text}` : text)
  const sorted = [...extensions].sort((a, b) => (order(a) < order(b) ? -1 : 1))
  return [baseName(tag), ...sorted].join('-')
}
