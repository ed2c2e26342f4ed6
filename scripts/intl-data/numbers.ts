/** Names and symbols of currencies and units. */

const CURRENCIES = Intl.supportedValuesOf('currency')
const UNITS = Intl.supportedValuesOf('unit')

export function currencyData() {
  const names = namesOf('en-US')
  const symbols = symbolsOf('en-US', 'symbol')
  const british = symbolsOf('en-GB', 'symbol')
  const isKnown = ([code, symbol]: Entry) =>
    [symbols, british].every((list) => list.find(([other]) => other === code)?.[1] === symbol)
  return {
    /** Code, singular, and after = the plural, which is empty where it only adds an s. */
    NAMES: table(names),
    BRITISH_NAMES: table(difference(namesOf('en-GB'), names)),
    SYMBOLS: table(symbols),
    BRITISH_SYMBOLS: table(difference(british, symbols)),
    NARROW_SYMBOLS: table(symbolsOf('en-US', 'narrowSymbol').filter((entry) => !isKnown(entry))),
    /** Of currencies whose amounts do not have two digits after the point. */
    NO_DIGITS: withDigits(0),
    THREE_DIGITS: withDigits(3),
  }
}

type Entry = [code: string, text: string]

function table(entries: readonly Entry[]): string {
  return `${entries.map(([code, text]) => `|${code}${text}`).join('')}|`
}

function difference(entries: readonly Entry[], from: readonly Entry[]): Entry[] {
  const known = new Map(from)
  return entries.filter(([code, text]) => known.get(code) !== text)
}

function namesOf(locale: string): Entry[] {
  return CURRENCIES.map((code): Entry => [code, currencyEntry(locale, code)])
}

function currencyEntry(locale: string, code: string): string {
  const [one = '', other] = [1, 2].map((count) => currencyPart(locale, code, 'name', count))
  if (one === other) return one
  return other === `${one}s` ? `${one}=` : `${one}=${other}`
}

function symbolsOf(locale: string, currencyDisplay: 'symbol' | 'narrowSymbol'): Entry[] {
  return CURRENCIES.map((code): Entry => [
    code,
    currencyPart(locale, code, currencyDisplay, 1),
  ]).filter(([code, symbol]) => code !== symbol)
}

function currencyPart(
  locale: string,
  currency: string,
  currencyDisplay: 'symbol' | 'narrowSymbol' | 'name',
  count: number,
): string {
  const options = {
    style: 'currency',
    currency,
    currencyDisplay,
    maximumFractionDigits: 0,
  } as const
  const parts = new Intl.NumberFormat(locale, options).formatToParts(count)
  return parts.find(({ type }) => type === 'currency')?.value ?? ''
}

function withDigits(digits: number): string {
  return CURRENCIES.filter((currency) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits === digits
  }).join(' ')
}

const WIDTHS = ['short', 'narrow', 'long'] as const

export function unitData() {
  const american = unitRows('en-US')
  const british = unitRows('en-GB')
  return {
    /** Of each width: after one, after several, and with `per` before it. */
    UNITS: rows(american),
    BRITISH_UNITS: rows(new Map([...british].filter(([unit, row]) => row !== american.get(unit)))),
  }
}

function rows(units: ReadonlyMap<string, string>): string {
  // With these two, the engine would keep the whole text in two bytes for each character.
  const narrow = (text: string) => text.replaceAll('′', '^').replaceAll('″', '~')
  return narrow(`\n${[...units].map(([unit, row]) => `${unit}|${row}\n`).join('')}`)
}

function unitRows(locale: string): Map<string, string> {
  const suffix = (unit: string, width: (typeof WIDTHS)[number], count: number) => {
    const text = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: width }).format(
      count,
    )
    if (!text.startsWith(String(count))) throw new Error(`${unit} stands before the number`)
    return text.slice(1)
  }
  /** What a unit adds to most others. */
  const perOf = (unit: string, width: (typeof WIDTHS)[number]) => {
    const tried = ['celsius', 'petabyte', 'stone'].filter((other) => other !== unit)
    const texts = tried.map((other) =>
      suffix(`${other}-per-${unit}`, width, 2).slice(suffix(other, width, 2).length),
    )
    if (texts[0] !== texts[1]) throw new Error(`per ${unit}: ${texts.join(', ')}`)
    return texts[0] ?? ''
  }
  const found = new Map<string, string>()
  for (const unit of UNITS) {
    const cells = WIDTHS.flatMap((width) => [
      suffix(unit, width, 1),
      suffix(unit, width, 2),
      perOf(unit, width),
    ])
    found.set(unit, cells.join('|'))
  }
  // ICU leaves out what a short percent is counted per, and so does the code.
  for (const first of UNITS.filter((unit) => unit !== 'percent')) {
    for (const second of UNITS) {
      const unit = `${first}-per-${second}`
      const own = WIDTHS.flatMap((width) => [1, 2].map((count) => suffix(unit, width, count)))
      const made = WIDTHS.flatMap((width) =>
        [1, 2].map((count) => suffix(first, width, count) + perOf(second, width)),
      )
      if (own.join('|') === made.join('|')) continue
      found.set(unit, [own[0], own[1], '', own[2], own[3], '', own[4], own[5], ''].join('|'))
    }
  }
  return found
}
