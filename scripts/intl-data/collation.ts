/** The order of characters in the root collation: of Latin, Greek, Cyrillic, punctuation and common symbols. */

const RANGES = [
  [0x00, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e9e, 0x1e9e],
  [0x2010, 0x205e],
  [0x20a0, 0x20c0],
  [0x2190, 0x2199],
  [0x2200, 0x226b],
] as const

const order = new Intl.Collator('en')
const primary = new Intl.Collator('en', { sensitivity: 'base' })
const secondary = new Intl.Collator('en', { sensitivity: 'accent' })

export function collationData() {
  const all = RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  ).filter((char) => !/\p{Cn}/u.test(char) && char.normalize('NFD') === char)
  const [ignored, shown] = [
    all.filter((char) => order.compare(char, '') === 0),
    all.filter((char) => order.compare(char, '') !== 0 && !/\p{M}/u.test(char)),
  ]
  const expanded = shown.filter((char) => expansionOf(char) !== undefined)
  const single = shown.filter((char) => expansionOf(char) === undefined).sort(order.compare)
  let text = ''
  for (const [index, char] of single.entries()) {
    const before = single[index - 1]
    if (before !== undefined && primary.compare(before, char) !== 0) text += '\u0001'
    else if (before !== undefined && secondary.compare(before, char) !== 0) text += '\u0002'
    text += char
  }
  const marks = Array.from({ length: 0x70 }, (_, index) => String.fromCharCode(0x300 + index))
    .filter((mark) => order.compare(mark, '') !== 0 && mark.normalize('NFD') === mark)
    .sort((a, b) => order.compare(`a${a}`, `a${b}`))
  return {
    /** Characters in their order: U+0001 between those that differ as letters, U+0002 as accents, none as cases. */
    ORDER: text,
    MARKS: marks.join(''),
    /** Characters that count as several. */
    EXPANSIONS: expanded.map((char) => `|${char}${expansionOf(char)}`).join('') + '|',
    /** Characters that do not count, as ranges. */
    IGNORED: ranges(ignored),
  }
}

/** Two or three letters that it equals but for its case. */
function expansionOf(char: string): string | undefined {
  const known = [
    'ae',
    'AE',
    'oe',
    'OE',
    'ss',
    'SS',
    'ij',
    'IJ',
    'lj',
    'Lj',
    'LJ',
    'nj',
    'Nj',
    'NJ',
    'dz',
    'Dz',
    'DZ',
  ]
  const compatible = char.normalize('NFKD')
  const tried = compatible.length > 1 ? [...known, compatible] : known
  const found = tried.filter((text) => primary.compare(text, char) === 0)
  return found.sort((a, b) => nearness(a, char) - nearness(b, char))[0]
}

const nearness = (text: string, char: string) =>
  (text.toLowerCase() === text) === (char.toLowerCase() === char) ? 0 : 1

function ranges(chars: readonly string[]): string {
  const points = chars.map((char) => char.charCodeAt(0)).sort((a, b) => a - b)
  const found: [number, number][] = []
  for (const point of points) {
    const last = found.at(-1)
    if (last?.[1] === point - 1) last[1] = point
    else found.push([point, point])
  }
  return found.map(([first, last]) => `${first.toString(16)}-${last.toString(16)}`).join(' ')
}
