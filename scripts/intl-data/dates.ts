/** The order of the fields of dates, for each set of fields. */

/** Its day and month have one digit, and its weekday begins with another letter than its month. */
const SAMPLE = Date.UTC(2004, 1, 5)

const FIELDS: readonly [letter: string, options: Intl.DateTimeFormatOptions][] = [
  ['E', { weekday: 'short' }],
  ['G', { era: 'short' }],
  ['y', { year: 'numeric' }],
  ['m', { month: 'numeric' }],
  ['M', { month: 'short' }],
  ['d', { day: 'numeric' }],
]
const LETTERS: Readonly<Record<string, string>> = {
  ...{ weekday: 'E', era: 'G', year: 'y', month: 'M', day: 'd' },
}

export function dateData() {
  return {
    /** In the form of `date/pattern.ts`; L and D are the month and the day with two digits where one is asked for. */
    DATES: patterns('en-US'),
    BRITISH_DATES: patterns('en-GB'),
  }
}

function patterns(locale: string): string {
  let text = '|'
  for (let set = 1; set < 2 ** FIELDS.length; set++) {
    const chosen = FIELDS.filter((_, index) => (set >> index) % 2 === 1)
    const key = chosen.map(([letter]) => letter).join('')
    if (/mM/.test(key) || key === 'G') continue
    const options: Intl.DateTimeFormatOptions = { timeZone: 'UTC' }
    for (const [, each] of chosen) Object.assign(options, each)
    const parts = new Intl.DateTimeFormat(locale, options).formatToParts(SAMPLE)
    text += `${key}=${parts.map(piece).join('')}|`
  }
  return text
}

function piece({ type, value }: Intl.DateTimeFormatPart): string {
  if (type === 'literal') return value
  if (value === '02') return '%L'
  return value === '05' ? '%D' : `%${LETTERS[type]}`
}
