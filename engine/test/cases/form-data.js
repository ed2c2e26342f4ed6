const f = new FormData()
f.append('a', '1')
f.append('b', 2)
f.append('a', '3')
fact('get', [f.get('a'), f.get('b'), f.get('c')], ['1', '2', null])
fact('getAll', [f.getAll('a'), f.getAll('c')], [['1', '3'], []])
fact('has', [f.has('a'), f.has('c')], [true, false])
fact(
  'entries',
  [...f],
  [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ],
)
fact(
  'keys and values',
  [[...f.keys()], [...f.values()]],
  [
    ['a', 'b', 'a'],
    ['1', '2', '3'],
  ],
)
fact(
  'forEach',
  (() => {
    const out = []
    f.forEach(
      function (v, k, g) {
        out.push([k, v, g === f, this.x])
      },
      { x: 1 },
    )
    return out[1]
  })(),
  ['b', '2', true, 1],
)
f.set('a', 'x')
fact(
  'set replaces all',
  [...f],
  [
    ['a', 'x'],
    ['b', '2'],
  ],
)
f.set('n', 'y')
fact('set adds', [...f.keys()], ['a', 'b', 'n'])
f.delete('a')
fact('delete', [...f.keys()], ['b', 'n'])
fact(
  'returns nothing',
  [f.append('z', '1'), f.set('z', '2'), f.delete('z')],
  [undefined, undefined, undefined],
)
fact(
  'iterator',
  [
    f[Symbol.iterator] === f.entries,
    Object.prototype.toString.call(f.entries()),
    typeof f.entries().next,
    f.entries()[Symbol.iterator]() !== undefined,
  ],
  [true, '[object FormData Iterator]', 'function', true],
)
fact(
  'iterator is live',
  (() => {
    const g = new FormData()
    g.append('a', '1')
    const out = []
    for (const [k] of g) {
      out.push(k)
      if (out.length < 3) g.append('b', '2')
    }
    return out
  })(),
  ['a', 'b', 'b'],
)
fact(
  'iterator on another object',
  thrown(() => f.entries().next.call({})),
  'TypeError',
)
fact('tag', String(f), '[object FormData]')
fact(
  'lengths',
  ['append', 'delete', 'get', 'getAll', 'has', 'set', 'forEach'].map(
    (k) => FormData.prototype[k].length,
  ),
  [2, 1, 1, 1, 1, 2, 1],
)
fact(
  'too few arguments',
  [
    () => f.append('a'),
    () => f.append(),
    () => f.set('a'),
    () => f.get(),
    () => f.getAll(),
    () => f.has(),
    () => f.delete(),
    () => f.forEach(),
  ].map(thrown),
  Array(8).fill('TypeError'),
)
fact(
  'constructor',
  [
    thrown(() => new FormData({})),
    thrown(() => new FormData(null)),
    thrown(() => new FormData(undefined)),
  ],
  ['TypeError', 'TypeError', 'nothing'],
)
fact(
  'a file name needs a Blob',
  thrown(() => f.append('a', 'b', 'c')),
  'TypeError',
)
const g = new FormData()
g.append('blob', new Blob(['x'], { type: 'a/b' }))
g.append('named', new Blob(['x']), 'n.txt')
const file = new File(['abc'], 'own.txt', { type: 'c/d', lastModified: 9 })
g.append('file', file)
g.append('renamed', file, 'other.txt')
fact(
  'a Blob becomes a File',
  [g.get('blob') instanceof File, g.get('blob').name, g.get('blob').type],
  [true, 'blob', 'a/b'],
)
fact('file name', [g.get('named').name, g.get('named').size], ['n.txt', 1])
fact('a File stays itself', g.get('file') === file, true)
fact(
  'renamed File',
  [g.get('renamed').name, g.get('renamed').type, g.get('renamed') === file],
  ['other.txt', 'c/d', false],
)
fact(
  'lone surrogates',
  (() => {
    const h = new FormData()
    h.append('\ud800', '\udfff')
    return [...h][0]
  })(),
  ['\ufffd', '\ufffd'],
)
fact(
  'line breaks stay',
  (() => {
    const h = new FormData()
    h.append('a\nb', 'c\rd')
    return [...h][0]
  })(),
  ['a\nb', 'c\rd'],
)
fact(
  'symbol',
  thrown(() => f.append(Symbol(), 'a')),
  'TypeError',
)
fact(
  'method on another object',
  thrown(() => FormData.prototype.get.call({}, 'a')),
  'TypeError',
)
{
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x3d, 0xef, 0xbb, 0xbf)
  const form = await new Response(bytes, { headers }).formData()
  fact('a byte order mark belongs to the name', [...form].flat(), ['\ufeffa', '\ufeff'])
}
