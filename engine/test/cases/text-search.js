// Looking for a text in another: the engine looks for the first character natively.
const words = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'aa',
  'abab',
  'é',
  'éa',
  '€',
  'a€',
  '€a',
  '\0',
  'a\0',
  '\ud83d',
  '\u{1f600}',
  'aaaaaaaab',
  'é€é',
]
const texts = [
  ...words,
  ...words.flatMap((one) => words.map((other) => one + other)),
  'a'.repeat(40),
  'ab'.repeat(30),
  `${'x'.repeat(33)}\u{1f600}`,
]
/** As the specification has it. */
function indexOf(text, word, from) {
  for (let at = Math.min(Math.max(from, 0), text.length); at + word.length <= text.length; at++) {
    if (text.slice(at, at + word.length) === word) return at
  }
  return -1
}
const differs = (test) => {
  const found = []
  for (const text of texts) {
    for (const word of words) {
      for (const from of [0, 1, 2, 5, 100, -3])
        if (!test(text, word, from)) found.push([text, word, from])
    }
  }
  return found.slice(0, 3)
}
fact(
  'indexOf',
  differs((text, word, from) => text.indexOf(word, from) === indexOf(text, word, from)),
  [],
)
fact(
  'includes',
  differs((text, word, from) => text.includes(word, from) === (indexOf(text, word, from) !== -1)),
  [],
)
fact(
  'split',
  differs(
    (text, word) =>
      word === '' ||
      (text.split(word).join(word) === text &&
        text.split(word).every((part) => indexOf(part, word, 0) === -1)),
  ),
  [],
)
fact(
  'replaceAll',
  differs((text, word) => word === '' || text.replaceAll(word, '|') === text.split(word).join('|')),
  [],
)
fact(
  'without a place',
  [
    'abc'.indexOf('c'),
    'abc'.includes('c'),
    'abc'.indexOf('c', undefined),
    'abc'.indexOf('c', NaN),
    'undefined'.indexOf(),
  ],
  [2, true, 2, 2, 0],
)
fact(
  'lastIndexOf',
  [
    'abab'.lastIndexOf('ab'),
    'abab'.lastIndexOf('ab', 1),
    'abab'.lastIndexOf(''),
    'abab'.lastIndexOf('x'),
    ''.lastIndexOf('a'),
  ],
  [2, 0, 4, -1, -1],
)
fact(
  'startsWith and endsWith',
  [
    'ab'.startsWith('b', 1),
    'ab'.startsWith('b', 2),
    'ab'.endsWith('a', 1),
    'ab'.endsWith('ab'),
    'b'.endsWith('ab'),
    'a'.startsWith('ab'),
  ],
  [true, false, true, true, false, false],
)
fact(
  'what is not a text',
  [thrown(() => 'a'.includes(/a/)), 'a1'.includes(1), 'null'.indexOf(null)],
  ['TypeError', true, 0],
)
fact('parts of a long text', 'x'.repeat(1000).slice(3, 990).concat('y€').slice(5).indexOf('y'), 982)
