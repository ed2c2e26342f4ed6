const b = new Blob(['ab', new Uint8Array([99, 100]), new Blob(['é'])], { type: 'Text/Plain' })
fact('size, type', [b.size, b.type], [6, 'text/plain'])
fact('text', await b.text(), 'abcdé')
fact(
  'arrayBuffer',
  [(await b.arrayBuffer()) instanceof ArrayBuffer, (await b.arrayBuffer()).byteLength],
  [true, 6],
)
fact('bytes', await b.bytes(), [97, 98, 99, 100, 195, 169])
fact(
  'bytes are a copy',
  await (async () => {
    const v = await b.bytes()
    v[0] = 0
    return (await b.bytes())[0]
  })(),
  97,
)
fact(
  'empty',
  [new Blob().size, new Blob().type, new Blob([]).size, new Blob(undefined).size],
  [0, '', 0, 0],
)
fact('tag', String(b), '[object Blob]')
fact('lengths', [Blob.length, File.length, Blob.prototype.slice.length], [0, 2, 0])
fact(
  'parts must be iterable',
  [
    thrown(() => new Blob('abc')),
    thrown(() => new Blob(5)),
    thrown(() => new Blob({})),
    thrown(() => new Blob(null)),
  ],
  ['TypeError', 'TypeError', 'TypeError', 'TypeError'],
)
fact('a set of parts', await new Blob(new Set(['a', 'b'])).text(), 'ab')
fact(
  'other parts become text',
  await new Blob([1, null, undefined, { toString: () => 'x' }, [1, 2]]).text(),
  '1nullundefinedx1,2',
)
fact('a lone surrogate', await new Blob(['\ud800']).text(), '\ufffd')
fact(
  'a symbol',
  thrown(() => new Blob([Symbol()])),
  'TypeError',
)
fact(
  'types',
  ['a/B', 'a\u00e9', 'a\tb', '', 'x; y=Z'].map((type) => new Blob([], { type }).type),
  ['a/b', '', '', '', 'x; y=z'],
)
fact(
  'endings',
  [
    await new Blob(['a\r\nb\rc\n'], { endings: 'native' }).text(),
    await new Blob(['a\r\nb'], { endings: 'transparent' }).text(),
  ],
  ['a\nb\nc\n', 'a\r\nb'],
)
fact(
  'endings must be known',
  thrown(() => new Blob([], { endings: 'x' })),
  'TypeError',
)
fact(
  'options must be an object',
  thrown(() => new Blob([], 5)),
  'TypeError',
)
fact(
  'views',
  await new Blob([
    new Uint16Array([0x6261]),
    new DataView(new Uint8Array([99, 100, 101]).buffer, 1, 1),
    new Uint8Array([102]).buffer,
  ]).text(),
  'abdf',
)
const s = new Blob(['0123456789'])
for (const [args, text] of [
  [[2, 5], '234'],
  [[], '0123456789'],
  [[-3], '789'],
  [[-3, -1], '78'],
  [[5, 2], ''],
  [[20], ''],
  [[0, 100], '0123456789'],
  [[NaN, 2], '01'],
  [['1', '3'], '12'],
  [[1.9, 3.9], '23'],
  [[0.5, 1.5], '01'],
  [[2.5, 3.5], '23'],
  [[undefined, 3], '012'],
  [[null, 3], '012'],
  [[-100, 2], '01'],
]) {
  fact(`slice ${JSON.stringify(args)}`, await s.slice(...args).text(), text)
}
fact(
  'slice type',
  [s.slice(0, 1, 'A/b').type, new Blob([], { type: 'x/y' }).slice().type],
  ['a/b', ''],
)
fact(
  'stream',
  await (async () => {
    const out = []
    for await (const c of s.stream()) out.push(...c)
    return [out.length, out[0]]
  })(),
  [10, 48],
)
fact(
  'stream of nothing',
  await (async () => {
    const out = []
    for await (const c of new Blob().stream()) out.push(c)
    return out.length
  })(),
  0,
)
fact(
  'stream of 200,000 bytes',
  await (async () => {
    let n = 0
    for await (const c of new Blob([new Uint8Array(200_000)]).stream()) n += c.length
    return n
  })(),
  200_000,
)
fact(
  'stream is of bytes',
  await (async () => {
    const r = s.stream().getReader({ mode: 'byob' })
    const { value } = await r.read(new Uint8Array(4))
    return [...value]
  })(),
  [48, 49, 50, 51],
)
fact(
  'stream ends for a BYOB reader',
  await (async () => {
    const r = new Blob(['a']).stream().getReader({ mode: 'byob' })
    await r.read(new Uint8Array(4))
    const { done, value } = await r.read(new Uint8Array(4))
    return [done, value?.length]
  })(),
  [true, 0],
)
fact(
  'methods on another object',
  [
    thrown(() => Blob.prototype.slice.call({})),
    await rejected(() => Blob.prototype.text.call({})),
    thrown(() => Object.getOwnPropertyDescriptor(Blob.prototype, 'size').get.call({})),
  ],
  ['TypeError', 'TypeError', 'TypeError'],
)
const f = new File(['abc'], 'n.txt', { type: 'text/plain', lastModified: 5 })
fact(
  'File',
  [f.name, f.type, f.size, f.lastModified, f instanceof Blob, String(f)],
  ['n.txt', 'text/plain', 3, 5, true, '[object File]'],
)
fact(
  'File needs a name',
  [thrown(() => new File([])), thrown(() => new File())],
  ['TypeError', 'TypeError'],
)
fact('File name is text', new File([], 5).name, '5')
fact(
  'lastModified',
  [
    new File([], '', { lastModified: '7' }).lastModified,
    new File([], '', { lastModified: null }).lastModified,
    typeof new File([], '').lastModified,
    new File([], '', { lastModified: -1 }).lastModified,
  ],
  [7, 0, 'number', -1],
)
fact('slice of a File is a Blob', [f.slice(0, 1) instanceof File, f.slice(0, 1).size], [false, 1])
fact(
  'a clone of a File',
  (() => {
    const c = structuredClone(f)
    return [c instanceof File, c.name, c.size, c.lastModified, c.type]
  })(),
  [true, 'n.txt', 3, 5, 'text/plain'],
)
fact(
  'a part that detaches another',
  attempt(() => {
    const v = new Uint8Array(4)
    return new Blob([
      v,
      {
        toString() {
          v.buffer.transfer()
          return 'x'
        },
      },
    ]).size
  }),
  1,
  { node: 'TypeError' },
)
fact(
  'a detached view',
  attempt(() => {
    const v = new Uint8Array(4)
    v.buffer.transfer()
    return new Blob([v, v.buffer]).size
  }),
  0,
  { node: 'TypeError' },
)
{
  const order = []
  const part = (name) => ({ toString: () => (order.push(name), name) })
  const parts = {
    *[Symbol.iterator]() {
      order.push('first')
      yield part('a')
      order.push('second')
      yield part('b')
    },
  }
  const options = {
    get type() {
      order.push('type')
      return ''
    },
  }
  new Blob(parts, options)
  fact('parts are converted one after the other, before the options', order, [
    ...['first', 'a', 'second', 'b', 'type'],
  ])
  const changing = [{ toString: () => (changing.pop(), 'x') }, 'y']
  fact('a part that is gone when it is reached', await new Blob(changing).text(), 'x')
}
const typeOf = async (type) => {
  const headers = type === undefined ? {} : { 'content-type': type }
  return (await new Response(new Uint8Array(), { headers }).blob()).type
}
// Node makes the whole type lower case.
for (const [given, wanted, node = wanted] of [
  ['TEXT/html;CHARSET=UTF-8', 'text/html;charset=UTF-8', 'text/html;charset=utf-8'],
  [' text/html ; a=b ', 'text/html;a=b'],
  ['text/html;a="b c";a=d', 'text/html;a="b c"'],
  ['text/html;a="b\\"c"', 'text/html;a="b\\"c"'],
  ['text/html;a="b";x', 'text/html;a=b'],
  ['text/html;=a;b=c', 'text/html;b=c'],
  ['text/html;a=\u00fe', 'text/html;a="\u00fe"', ''],
  ['text', ''],
  ['text/h(tml', ''],
  [undefined, ''],
  ['text/html, text/plain', 'text/plain'],
  ['text/html;charset=gbk, text/html', 'text/html;charset=gbk'],
  ['text/html;charset=gbk, text/plain, text/html', 'text/html'],
  ['text/html;a="b,c", */*', 'text/html;a="b,c"'],
  ['text/html, x', 'text/html'],
]) {
  fact(`the type of a body: ${given}`, await typeOf(given), wanted, { node })
}
