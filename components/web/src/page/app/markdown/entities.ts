/** Character references, which the lexer leaves as they are. Of those with a name only the usual ones are known. */

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    mdash: '—',
    ndash: '–',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    bull: '•',
    middot: '·',
    deg: '°',
    times: '×',
    divide: '÷',
    plusmn: '±',
    le: '≤',
    ge: '≥',
    ne: '≠',
    larr: '←',
    rarr: '→',
    uarr: '↑',
    darr: '↓',
    euro: '€',
    pound: '£',
    sect: '§',
    para: '¶',
    micro: 'µ',
    auml: 'ä',
    Auml: 'Ä',
    ouml: 'ö',
    Ouml: 'Ö',
    uuml: 'ü',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
  }),
)

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,31}));/g

export function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}
