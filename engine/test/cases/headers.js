/** Names that a loop sees while it changes what it goes through. */
function seen(entries, change) {
  const headers = new Headers(entries)
  const names = []
  for (const [name, value] of headers) {
    names.push(`${name}=${value}`)
    if (names.length > 9) break
    change(headers, name)
  }
  return names
}
const abc = () => [
  ['c', '3'],
  ['b', '2'],
  ['a', '1'],
]
fact(
  'a loop: an entry that is removed is left out',
  seen(abc(), (h) => h.delete('b')),
  ['a=1', 'c=3'],
)
fact(
  'a loop: an entry that comes later is seen',
  seen(abc(), (h) => h.set('d', '4')),
  ['a=1', 'b=2', 'c=3', 'd=4'],
)
fact(
  'a loop: an entry that is put before moves the others',
  seen([['b', '2']], (h) => h.has('a') || h.set('a', '1')),
  ['b=2', 'b=2'],
)
fact(
  'a loop: a new cookie is an entry of its own',
  seen([['set-cookie', 'a=1']], (h, name) => h.getSetCookie().length < 3 && h.append(name, 'b=2')),
  ['set-cookie=a=1', 'set-cookie=b=2', 'set-cookie=b=2'],
)
{
  const headers = new Headers([['b', '2']])
  const entries = headers.entries()
  headers.append('a', '1')
  headers.append('b', '3')
  fact(
    'an iterator begins when it is asked',
    [...entries],
    [
      ['a', '1'],
      ['b', '2, 3'],
    ],
  )
  fact('an iterator that ended stays so', entries.next().done, true)
  const names = []
  headers.forEach((value, name) => {
    names.push(name)
    if (name === 'a') headers.delete('b')
  })
  fact('forEach sees changes', names, ['a'])
}
fact(
  'the tag of an iterator',
  Object.prototype.toString.call(new Headers().keys()),
  '[object Headers Iterator]',
)
fact(
  'iterators share what all iterators have',
  Object.getPrototypeOf(Object.getPrototypeOf(new Headers().values())) ===
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
  true,
)
fact(
  'entries is the iterator',
  Headers.prototype[Symbol.iterator] === Headers.prototype.entries,
  true,
)
{
  const headers = new Headers([['a', '1']])
  headers[Symbol.iterator] = function* () {
    yield ['b', '2']
  }
  fact('an iterator of its own is used', [...new Headers(headers).keys()], ['b'])
}
for (const name of ['Headers', 'Request', 'Response', 'URL']) {
  fact(
    `${name} is called without new`,
    thrown(() => globalThis[name]('http://a.test/')),
    'TypeError',
  )
}

// https://fetch.spec.whatwg.org/#header-name: each byte, at the start and within.
const bytes = [...Array(256).keys()].map((byte) => String.fromCharCode(byte))
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]$/
fact(
  'the bytes of names',
  bytes.filter((byte) =>
    [byte, `a${byte}`, `${byte}a`].some((name) => {
      const refused = thrown(() => new Headers({ [name]: 'x' }))
      return (refused === 'nothing') !== token.test(byte)
    }),
  ),
  [],
)
