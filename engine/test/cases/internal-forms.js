const x = __ftl.exports
const utf8 = (text) => new TextEncoder().encode(text)
const parse = (text, type = 'multipart/form-data; boundary=B') => [
  ...x.parseForm(typeof text === 'string' ? utf8(text) : text, type),
]
const bad = (text, type) => thrown(() => parse(text, type))
const url = 'application/x-www-form-urlencoded'
for (const [text, expected] of [
  [
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['', []],
  ['&&a', [['a', '']]],
  ['=b', [['', 'b']]],
  ['a=b=c', [['a', 'b=c']]],
  ['a+b=c+d', [['a b', 'c d']]],
  ['a%20b=%26%3D', [['a b', '&=']]],
  ['%F0%9F%98%80=%c3%a9', [['\u{1f600}', 'é']]],
  ['a=%', [['a', '%']]],
  ['a=%4', [['a', '%4']]],
  ['a=%zz%41', [['a', '%zzA']]],
  ['a=%ff%41', [['a', '\ufffdA']]],
  ['a=%2B', [['a', '+']]],
  ['__proto__=1', [['__proto__', '1']]],
])
  fact(`urlencoded ${text}`, parse(text, url), expected)
fact('urlencoded type with charset', parse('a=1', `${url}; charset=UTF-8`), [['a', '1']])
fact('urlencoded type in capitals', parse('a=1', ' Application/X-WWW-Form-Urlencoded ;x'), [
  ['a', '1'],
])
fact('too many fields', bad('a&'.repeat(10_001), url), 'TypeError')
for (const type of [
  'text/plain',
  '',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
  null,
  undefined,
  'x',
])
  fact(`type ${type}`, bad('--B--', type ?? 'none'), 'TypeError')
fact(
  'no type',
  [thrown(() => x.parseForm(utf8(''), null)), thrown(() => x.parseForm(utf8(''), undefined))],
  ['TypeError', 'TypeError'],
)
const part = (head, body = 'v') => `--B\r\n${head}\r\n\r\n${body}\r\n--B--\r\n`
const named = (n) => `Content-Disposition: form-data; name="${n}"`
fact('one field', parse(part(named('a'))), [['a', 'v']])
fact('no line break at the end', parse(part(named('a')).trimEnd()), [['a', 'v']])
fact('no fields', parse('--B--\r\n'), [])
fact(
  'two fields',
  parse(`--B\r\n${named('a')}\r\n\r\n1\r\n--B\r\n${named('b')}\r\n\r\n2\r\n--B--`),
  [
    ['a', '1'],
    ['b', '2'],
  ],
)
fact('empty value', parse(part(named('a'), '')), [['a', '']])
fact('line breaks in a value', parse(part(named('a'), '\r\n-\r\n--\r\n--C\r\n')), [
  ['a', '\r\n-\r\n--\r\n--C\r\n'],
])
fact('escapes in a name', parse(part(named('a%22b%0D%0Ac%0d'))), [['a"b\r\nc\r', 'v']])
fact('UTF-8', parse(part(named('é'), 'ü')), [['é', 'ü']])
fact('headers in any case', parse(part('CONTENT-disposition:form-data;name="a"\r\nX-Other: y')), [
  ['a', 'v'],
])
fact('quoted boundary', parse(part(named('a')), 'multipart/form-data; charset=x; boundary="B"'), [
  ['a', 'v'],
])
fact('blanks after a boundary', parse(`--B \t\r\n${named('a')}\r\n\r\nv\r\n--B--`), [['a', 'v']])
const file = parse(part(`${named('f')}; filename="n%22.txt"\r\nContent-Type: a/b`, 'bytes'))[0][1]
fact(
  'file',
  [file instanceof File, file.name, file.type, file.size, await file.text()],
  [true, 'n".txt', 'a/b', 5, 'bytes'],
)
fact('file without type', parse(part(`${named('f')}; filename="n"`))[0][1].type, 'text/plain')
fact('file with an empty name', parse(part(`${named('f')}; filename=""`))[0][1].name, '')
fact(
  'bytes of a file are not text',
  await parse(
    new Uint8Array([
      ...utf8(`--B\r\n${named('f')}; filename="n"\r\n\r\n`),
      0,
      255,
      13,
      10,
      ...utf8('\r\n--B--'),
    ]),
  )[0][1].bytes(),
  [0, 255, 13, 10],
)
for (const [name, text] of Object.entries({
  nothing: '',
  'text in front': `x\r\n${part(named('a'))}`,
  'other boundary': part(named('a')).replaceAll('--B', '--C'),
  'no end': `--B\r\n${named('a')}\r\n\r\nv\r\n--B`,
  'no end of a value': `--B\r\n${named('a')}\r\n\r\nv`,
  'text after the end': `${part(named('a'))}x`,
  'no name': part('Content-Disposition: form-data'),
  'not form-data': part('Content-Disposition: attachment; name="a"'),
  'no disposition': part('Content-Type: a/b'),
  'two dispositions': part(`${named('a')}\r\n${named('b')}`),
  'no blank line': '--B\r\nContent-Disposition: form-data; name="a"\r\n--B--',
  'no headers': '--B\r\n\r\nv\r\n--B--',
  'a header without a colon': part(`${named('a')}\r\nnonsense`),
  'only line feeds': part(named('a')).replaceAll('\r\n', '\n'),
  'quoted-printable': part(`${named('a')}\r\nContent-Transfer-Encoding: quoted-printable`),
  'a name that is not quoted': part('Content-Disposition: form-data; name=a'),
  'a huge head': part(`${named('a')}\r\nX: ${'x'.repeat(20_000)}`),
  'the boundary only': '--B',
  'one dash': '--B-',
}))
  fact(`refused: ${name}`, bad(text), 'TypeError')
fact('10,001 parts', bad(`--B\r\n${named('a')}\r\n\r\n\r\n`.repeat(10_001) + '--B--'), 'TypeError')
const form = new FormData()
form.append('a\r"\nb', 'x\ny')
form.append('f', new File(['abc'], 'q".txt', { type: 'a/b' }))
form.append('g', new Blob(['z']))
const { bytes, type } = x.encodeBody(form)
const boundary = type.slice(type.indexOf('=') + 1)
fact('multipart type', type.startsWith('multipart/form-data; boundary='), true)
fact(
  'multipart text',
  new TextDecoder().decode(bytes).replaceAll(boundary, 'B'),
  `--B\r\nContent-Disposition: form-data; name="a%0D%0A%22%0D%0Ab"\r\n\r\nx\r\ny\r\n--B\r\nContent-Disposition: form-data; name="f"; filename="q%22.txt"\r\nContent-Type: a/b\r\n\r\nabc\r\n--B\r\nContent-Disposition: form-data; name="g"; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\nz\r\n--B--\r\n`,
)
fact('there and back', x.parseForm(bytes, type).get('f').name, 'q".txt')
fact('of Node there and back', [...x.parseForm(bytes, type).keys()], ['a\r\n"\r\nb', 'f', 'g'])
fact('boundaries differ', x.encodeBody(form).type === type, false)
fact('an empty form', [...x.parseForm(...Object.values(x.encodeBody(new FormData())))], [])
fact(
  'encodeBody of a Blob',
  [
    x.encodeBody(new Blob(['a'], { type: 'x/y' })).type,
    x.encodeBody(new Blob(['a'])).type,
    [...x.encodeBody(new Blob(['a'])).bytes],
  ],
  ['x/y', undefined, [97]],
)
fact(
  'encodeBody of others',
  [x.encodeBody('a'), x.encodeBody({}), x.encodeBody(null), x.encodeBody(new Uint8Array(1))],
  [undefined, undefined, undefined, undefined],
)
fact(
  'a big file',
  x
    .parseForm(
      utf8(part(`${named('f')}; filename="n"`, '\r'.repeat(300_000))),
      'multipart/form-data; boundary=B',
    )
    .get('f').size,
  300_000,
)
