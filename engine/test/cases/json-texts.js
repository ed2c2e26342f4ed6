// Texts in JSON: the engine looks at eight characters at a time, so each special one stands at each place of a short text.
const SHORT = { '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\' }
const isHigh = (unit) => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit) => unit >= 0xdc00 && unit < 0xe000
const unicode = (unit) => `\\u${unit.toString(16).padStart(4, '0')}`

/** As the specification has it, unit by unit. */
function quoted(text) {
  let all = '"'
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const short = SHORT[text[i]]
    if (short !== undefined) all += `\\${short}`
    else if (unit < 0x20) all += unicode(unit)
    else if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) all += text[i] + text[++i]
    else if (isHigh(unit) || isLow(unit)) all += unicode(unit)
    else all += text[i]
  }
  return `${all}"`
}

const SPECIAL = [
  '"',
  '\\',
  '\0',
  '\x1f',
  ' ',
  '!',
  '\x7f',
  '\x80',
  '\x9f',
  '\xa0',
  '\xff',
  '\u0100',
  '\u2028',
]
const OTHERS = [
  '\n',
  '\ud7ff',
  '\ud800',
  '\udfff',
  '\ue000',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
  '\x01"',
  'é€',
  '€é"',
]
const texts = ['']
for (const special of [...SPECIAL, ...OTHERS]) {
  for (let before = 0; before < 20; before++) {
    for (const after of [0, 1, 7, 8, 9, 17]) {
      texts.push('a'.repeat(before) + special + 'b'.repeat(after))
      texts.push('€'.repeat(before) + special + '漢'.repeat(after))
      texts.push('a€'.repeat(before) + special + 'é'.repeat(after))
    }
  }
}

const differs = (test) =>
  texts
    .filter((text) => !test(text))
    .slice(0, 3)
    .map(quoted)
fact(
  'stringify',
  differs((text) => JSON.stringify(text) === quoted(text)),
  [],
)
fact(
  'stringify as a name and in a list',
  differs((text) => JSON.stringify({ [text]: [text] }) === `{${quoted(text)}:[${quoted(text)}]}`),
  [],
)
fact(
  'parse what was written',
  differs((text) => JSON.parse(quoted(text)) === text),
  [],
)
fact(
  'parse with every unit escaped',
  differs(
    (text) =>
      JSON.parse(
        `"${[...text].map((c) => [...Array(c.length).keys()].map((i) => unicode(c.charCodeAt(i))).join('')).join('')}"`,
      ) === text,
  ),
  [],
)
fact(
  'parse names',
  differs((text) => Object.keys(JSON.parse(`{${quoted(`n${text}`)}:1}`))[0] === `n${text}`),
  [],
)
const refused = (json) => attempt(() => JSON.parse(json)) === 'SyntaxError'
fact(
  'a control character is refused at each place',
  differs((text) =>
    ['\0', '\n', '\x1f'].every((bad) => refused(`"${quoted(text).slice(1, -1)}${bad}x"`)),
  ),
  [],
)
fact(
  'a text without an end is refused',
  differs((text) => refused(quoted(text).slice(0, -1))),
  [],
)
