// https://github.com/tc39/proposal-regexp-legacy-features: old libraries read them.
const read = () => [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => RegExp[`$${number}`]),
  ...['lastMatch', 'lastParen', 'leftContext', 'rightContext', 'input'].map((name) => RegExp[name]),
]
const short = () => [RegExp.$1, RegExp['$&'], RegExp['$+'], RegExp['$`'], RegExp["$'"], RegExp.$_]
const found = (pattern, text) => pattern.exec(text) !== null
found(/(b)(c)?/, 'abd')
fact('exec', read(), ['b', '', '', '', '', '', '', '', '', 'b', '', 'a', 'd', 'abd'])
found(/x/, 'abd')
fact('a pattern that does not match changes nothing', short(), ['b', 'b', '', 'a', 'd', 'abd'])
found(/(é)(.)/u, 'aé😀z')
fact('wide characters', short(), ['é', 'é😀', '😀', 'a', 'z', 'aé😀z'])
fact('match', ['x1y'.match(/(\d)/)[0], RegExp.$1], ['1', '1'])
'a-b'.replace(/(\w)-(\w)/, () => RegExp.$2)
fact(
  'within a replacement',
  'a-b c-d'.replace(/(\w)-(\w)/g, () => RegExp.$2 + RegExp.$1),
  // All matches are looked for first.
  'dc dc',
)
found(/(1)(2)(3)(4)(5)(6)(7)(8)(9)(x)/, '123456789x')
fact('more than nine groups', read().slice(0, 11), [...'123456789', '123456789x', 'x'])
const huge = '-'.repeat(100_000) + 'a'
found(/(a)$/, huge)
fact('a long text', [RegExp.$1, RegExp.leftContext.length], ['a', 100_000])
fact('the getters are on RegExp', 'get' in Object.getOwnPropertyDescriptor(RegExp, '$1'), true)
