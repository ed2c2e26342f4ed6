const enc = new TextEncoder()
const dec = new TextDecoder()
const un = (list, label = 'utf-8', options) =>
  attempt(() => new TextDecoder(label, options).decode(new Uint8Array(list)))
const codes = (text) =>
  text.length > 60 ? text : [...text].map((c) => c.codePointAt(0).toString(16)).join(' ')
const all = Uint8Array.from({ length: 128 }, (_, i) => i + 128)
fact(
  'tags',
  [
    Object.prototype.toString.call(enc),
    Object.prototype.toString.call(dec),
    enc.encoding,
    dec.encoding,
    dec.fatal,
    dec.ignoreBOM,
  ],
  ['[object TextEncoder]', '[object TextDecoder]', 'utf-8', 'utf-8', false, false],
)
fact(
  'called as functions',
  [thrown(() => TextEncoder()), thrown(() => TextDecoder())],
  ['TypeError', 'TypeError'],
)
fact(
  'encode nothing',
  [enc.encode().length, enc.encode(undefined).length, enc.encode('').length],
  [0, 0, 0],
)
fact('encode null', [...enc.encode(null)], [110, 117, 108, 108])
fact('encode ASCII', [...enc.encode('abc\0\x7f')], [97, 98, 99, 0, 127])
fact('encode Latin-1', [...enc.encode('é\x80\xff')], [195, 169, 194, 128, 195, 191])
fact('encode two bytes', [...enc.encode('ж€')], [208, 182, 226, 130, 172])
fact('encode pairs', [...enc.encode('😀')], [240, 159, 152, 128])
fact('encode a lone high one', [...enc.encode('\ud800')], [239, 191, 189])
fact('encode a lone low one', [...enc.encode('a\udc00b')], [97, 239, 191, 189, 98])
fact(
  'encode them in the wrong order',
  [...enc.encode('\udc00\ud800')],
  [239, 191, 189, 239, 191, 189],
)
fact(
  'encode a high one, then a pair',
  [...enc.encode('\ud83d\ud83d\ude00')],
  [239, 191, 189, 240, 159, 152, 128],
)
fact(
  'encode what is near them',
  [...enc.encode('\ud7ff\ue000\uffff')],
  [237, 159, 191, 238, 128, 128, 239, 191, 191],
)
fact('encode a number', [...enc.encode(12)], [49, 50])
fact('encode an object', [...enc.encode({ toString: () => 'o' })], [111])
fact(
  'encode a symbol',
  thrown(() => enc.encode(Symbol())),
  'TypeError',
)
fact(
  'encode what throws',
  thrown(() =>
    enc.encode({
      toString() {
        throw new EvalError()
      },
    }),
  ),
  'EvalError',
)
fact(
  'encode a rope',
  enc.encode(Array.from({ length: 3000 }, (_, i) => 'x' + i).reduce((a, b) => a + b, '')).length,
  13890,
)
fact('encode a part of a string', [...enc.encode('hello wörld'.slice(6, 9))], [119, 195, 182, 114])
fact('encode much', enc.encode('aé€😀'.repeat(10000)).length, 100000)
fact(
  'encode gives an own buffer',
  attempt(() => {
    const a = enc.encode('abc')
    return [a.buffer.byteLength, a.byteOffset, a instanceof Uint8Array]
  }),
  [3, 0, true],
)
fact(
  'encode changes nothing of the string',
  attempt(() => {
    const s = 'constant'
    const a = enc.encode(s)
    a.fill(0)
    return s
  }),
  'constant',
)
fact(
  'encode wants an encoder',
  thrown(() => enc.encode.call({}, 'a')),
  'TypeError',
)
const into = (text, size) =>
  attempt(() => {
    const a = new Uint8Array(size)
    const r = enc.encodeInto(text, a)
    return [r.read, r.written, [...a].join(' ')]
  })
fact('encodeInto "abc" 5', into('abc', 5), [3, 3, '97 98 99 0 0'])
fact('encodeInto "abc" 3', into('abc', 3), [3, 3, '97 98 99'])
fact('encodeInto "abc" 2', into('abc', 2), [2, 2, '97 98'])
fact('encodeInto "abc" 0', into('abc', 0), [0, 0, ''])
fact('encodeInto "" 4', into('', 4), [0, 0, '0 0 0 0'])
fact('encodeInto "\\u00e9" 1', into('\u00e9', 1), [0, 0, '0'])
fact('encodeInto "\\u00e9" 2', into('\u00e9', 2), [1, 2, '195 169'])
fact('encodeInto "a\\u00e9" 2', into('a\u00e9', 2), [1, 1, '97 0'])
fact('encodeInto "\\u20ac" 2', into('\u20ac', 2), [0, 0, '0 0'])
fact('encodeInto "\\u20ac" 3', into('\u20ac', 3), [1, 3, '226 130 172'])
fact('encodeInto "\\ud83d\\ude00" 3', into('\ud83d\ude00', 3), [0, 0, '0 0 0'])
fact('encodeInto "\\ud83d\\ude00" 4', into('\ud83d\ude00', 4), [2, 4, '240 159 152 128'])
fact('encodeInto "a\\ud83d\\ude00b" 5', into('a\ud83d\ude00b', 5), [3, 5, '97 240 159 152 128'])
fact('encodeInto "a\\ud83d\\ude00b" 6', into('a\ud83d\ude00b', 6), [4, 6, '97 240 159 152 128 98'])
fact('encodeInto "\\ud800" 3', into('\ud800', 3), [1, 3, '239 191 189'])
fact('encodeInto "\\ud800" 2', into('\ud800', 2), [0, 0, '0 0'])
fact('encodeInto "\\udc00x" 4', into('\udc00x', 4), [2, 4, '239 191 189 120'])
fact('encodeInto "\\ud83d\\ud83d\\ude00" 7', into('\ud83d\ud83d\ude00', 7), [
  3,
  7,
  '239 191 189 240 159 152 128',
])
fact('encodeInto "ab\\ud800cd" 4', into('ab\ud800cd', 4), [2, 2, '97 98 0 0'])
fact(
  'encodeInto a part',
  attempt(() => {
    const a = new Uint8Array(8)
    const r = enc.encodeInto('xyz', a.subarray(2, 4))
    return [r.read, r.written, [...a]]
  }),
  [2, 2, [0, 0, 120, 121, 0, 0, 0, 0]],
)
fact(
  'encodeInto the wrong array',
  [
    thrown(() => enc.encodeInto('a', new Int8Array(1))),
    thrown(() => enc.encodeInto('a', new Uint8ClampedArray(1))),
    thrown(() => enc.encodeInto('a', new ArrayBuffer(1))),
    thrown(() => enc.encodeInto('a', [])),
    thrown(() => enc.encodeInto('a')),
    thrown(() => enc.encodeInto()),
  ],
  ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'],
)
fact(
  'encodeInto detached',
  attempt(() => {
    const a = new Uint8Array(4)
    a.buffer.transfer()
    const r = enc.encodeInto('abc', a)
    return [r.read, r.written]
  }),
  [0, 0],
)
fact(
  'encodeInto while text detaches',
  attempt(() => {
    const a = new Uint8Array(4)
    const r = enc.encodeInto(
      {
        toString() {
          a.buffer.transfer()
          return 'abc'
        },
      },
      a,
    )
    return typeof r
  }),
  'object',
  { node: 'TypeError' },
)
fact(
  'encodeInto while text shrinks',
  attempt(() => {
    const b = new ArrayBuffer(8, { maxByteLength: 16 })
    const a = new Uint8Array(b)
    const r = enc.encodeInto(
      {
        toString() {
          b.resize(2)
          return 'abc'
        },
      },
      a,
    )
    return typeof r
  }),
  'object',
  { node: 'TypeError' },
)
fact(
  'encodeInto shared memory',
  attempt(() => {
    const a = new Uint8Array(new SharedArrayBuffer(4))
    const r = enc.encodeInto('abc', a)
    return [r.read, r.written, a[0]]
  }),
  [3, 3, 97],
)
fact(
  'decode nothing',
  [dec.decode(), dec.decode(undefined), dec.decode(new Uint8Array())],
  ['', '', ''],
)
fact('decode NUL', codes(dec.decode(new Uint8Array([0, 97, 0]))), '0 61 0')
fact(
  'decode views',
  [
    dec.decode(new Uint16Array([0x6261])),
    dec.decode(new DataView(enc.encode('abcd').buffer, 1, 2)),
    dec.decode(enc.encode('abc').buffer),
    dec.decode(enc.encode('abcd').subarray(1, 3)),
    dec.decode(new Float32Array(1)).length,
  ],
  ['ab', 'bc', 'abc', 'bc', 4],
)
fact(
  'decode what is no buffer',
  [
    thrown(() => dec.decode('a')),
    thrown(() => dec.decode([97])),
    thrown(() => dec.decode(null)),
    thrown(() => dec.decode(5)),
    thrown(() => dec.decode({ byteLength: 1, buffer: new ArrayBuffer(1), byteOffset: 0 })),
  ],
  ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'],
)
fact(
  'decode detached',
  attempt(() => {
    const a = new Uint8Array(4)
    a.buffer.transfer()
    return dec.decode(a)
  }),
  '',
)
fact('decode shared memory', dec.decode(new Uint8Array(new SharedArrayBuffer(2))).length, 2)
fact(
  'decode options',
  [
    thrown(() => dec.decode(new Uint8Array(), 5)),
    thrown(() => dec.decode(new Uint8Array(), null)),
    thrown(() => dec.decode(new Uint8Array(), {})),
  ],
  ['TypeError', 'nothing', 'nothing'],
)
fact(
  'decode while options detach',
  attempt(() => {
    const a = new Uint8Array(4)
    return typeof dec.decode(a, {
      get stream() {
        a.buffer.transfer()
        return false
      },
    })
  }),
  'string',
)
fact(
  'decode while options throw',
  thrown(() =>
    dec.decode(new Uint8Array(), {
      get stream() {
        throw new EvalError()
      },
    }),
  ),
  'EvalError',
)
fact(
  'invalid [128]',
  [codes(un([128])), un([128], 'utf-8', { fatal: true })],
  ['fffd', 'TypeError'],
)
fact(
  'invalid [191]',
  [codes(un([191])), un([191], 'utf-8', { fatal: true })],
  ['fffd', 'TypeError'],
)
fact(
  'invalid [192, 128]',
  [codes(un([192, 128])), un([192, 128], 'utf-8', { fatal: true })],
  ['fffd fffd', 'TypeError'],
)
fact(
  'invalid [193, 191]',
  [codes(un([193, 191])), un([193, 191], 'utf-8', { fatal: true })],
  ['fffd fffd', 'TypeError'],
)
fact(
  'invalid [195]',
  [codes(un([195])), un([195], 'utf-8', { fatal: true })],
  ['fffd', 'TypeError'],
)
fact(
  'invalid [195, 40]',
  [codes(un([195, 40])), un([195, 40], 'utf-8', { fatal: true })],
  ['fffd 28', 'TypeError'],
)
fact(
  'invalid [226, 130]',
  [codes(un([226, 130])), un([226, 130], 'utf-8', { fatal: true })],
  ['fffd', 'TypeError'],
)
fact(
  'invalid [226, 40, 161]',
  [codes(un([226, 40, 161])), un([226, 40, 161], 'utf-8', { fatal: true })],
  ['fffd 28 fffd', 'TypeError'],
)
fact(
  'invalid [224, 128, 128]',
  [codes(un([224, 128, 128])), un([224, 128, 128], 'utf-8', { fatal: true })],
  ['fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [224, 159, 191]',
  [codes(un([224, 159, 191])), un([224, 159, 191], 'utf-8', { fatal: true })],
  ['fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [237, 160, 128]',
  [codes(un([237, 160, 128])), un([237, 160, 128], 'utf-8', { fatal: true })],
  ['fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [237, 191, 191]',
  [codes(un([237, 191, 191])), un([237, 191, 191], 'utf-8', { fatal: true })],
  ['fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [237, 160, 189, 237, 184, 128]',
  [
    codes(un([237, 160, 189, 237, 184, 128])),
    un([237, 160, 189, 237, 184, 128], 'utf-8', { fatal: true }),
  ],
  ['fffd fffd fffd fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [240, 159, 152]',
  [codes(un([240, 159, 152])), un([240, 159, 152], 'utf-8', { fatal: true })],
  ['fffd', 'TypeError'],
)
fact(
  'invalid [240, 143, 191, 191]',
  [codes(un([240, 143, 191, 191])), un([240, 143, 191, 191], 'utf-8', { fatal: true })],
  ['fffd fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [240, 40, 140, 40]',
  [codes(un([240, 40, 140, 40])), un([240, 40, 140, 40], 'utf-8', { fatal: true })],
  ['fffd 28 fffd 28', 'TypeError'],
)
fact(
  'invalid [244, 144, 128, 128]',
  [codes(un([244, 144, 128, 128])), un([244, 144, 128, 128], 'utf-8', { fatal: true })],
  ['fffd fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [245, 128, 128, 128]',
  [codes(un([245, 128, 128, 128])), un([245, 128, 128, 128], 'utf-8', { fatal: true })],
  ['fffd fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [248, 136, 128, 128, 128]',
  [codes(un([248, 136, 128, 128, 128])), un([248, 136, 128, 128, 128], 'utf-8', { fatal: true })],
  ['fffd fffd fffd fffd fffd', 'TypeError'],
)
fact(
  'invalid [255, 254]',
  [codes(un([255, 254])), un([255, 254], 'utf-8', { fatal: true })],
  ['fffd fffd', 'TypeError'],
)
fact(
  'invalid [97, 226, 130, 97]',
  [codes(un([97, 226, 130, 97])), un([97, 226, 130, 97], 'utf-8', { fatal: true })],
  ['61 fffd 61', 'TypeError'],
)
fact(
  'invalid [240, 159, 65, 66]',
  [codes(un([240, 159, 65, 66])), un([240, 159, 65, 66], 'utf-8', { fatal: true })],
  ['fffd 41 42', 'TypeError'],
)
fact(
  'invalid [225, 128, 226, 240, 145, 146, 241, 191, 65]',
  [
    codes(un([225, 128, 226, 240, 145, 146, 241, 191, 65])),
    un([225, 128, 226, 240, 145, 146, 241, 191, 65], 'utf-8', { fatal: true }),
  ],
  ['fffd fffd fffd fffd 41', 'TypeError'],
)
fact(
  'BOM [239, 187, 191]',
  [codes(un([239, 187, 191])), codes(un([239, 187, 191], 'utf-8', { ignoreBOM: true }))],
  ['', 'feff'],
)
fact(
  'BOM [239, 187, 191, 97]',
  [codes(un([239, 187, 191, 97])), codes(un([239, 187, 191, 97], 'utf-8', { ignoreBOM: true }))],
  ['61', 'feff 61'],
)
fact(
  'BOM [239, 187, 191, 239, 187, 191, 97]',
  [
    codes(un([239, 187, 191, 239, 187, 191, 97])),
    codes(un([239, 187, 191, 239, 187, 191, 97], 'utf-8', { ignoreBOM: true })),
  ],
  ['feff 61', 'feff feff 61'],
)
fact(
  'BOM [97, 239, 187, 191]',
  [codes(un([97, 239, 187, 191])), codes(un([97, 239, 187, 191], 'utf-8', { ignoreBOM: true }))],
  ['61 feff', '61 feff'],
)
fact(
  'BOM [239, 187]',
  [codes(un([239, 187])), codes(un([239, 187], 'utf-8', { ignoreBOM: true }))],
  ['fffd', 'fffd'],
)
fact(
  'BOM [255, 254, 97, 0]',
  [codes(un([255, 254, 97, 0])), codes(un([255, 254, 97, 0], 'utf-8', { ignoreBOM: true }))],
  ['fffd fffd 61 0', 'fffd fffd 61 0'],
)
fact(
  'UTF-16LE [97, 0]',
  [
    codes(un([97, 0], 'utf-16')),
    attempt(() => codes(un([97, 0], 'utf-16le', { fatal: true }))),
    codes(un([97, 0], 'utf-16le', { ignoreBOM: true })),
  ],
  ['61', '61', '61'],
)
fact(
  'UTF-16BE [97, 0]',
  [codes(un([97, 0], 'utf-16be')), attempt(() => codes(un([97, 0], 'utf-16be', { fatal: true })))],
  ['6100', '6100'],
)
fact(
  'UTF-16LE [97, 0, 98]',
  [
    codes(un([97, 0, 98], 'utf-16')),
    attempt(() => codes(un([97, 0, 98], 'utf-16le', { fatal: true }))),
    codes(un([97, 0, 98], 'utf-16le', { ignoreBOM: true })),
  ],
  ['61 fffd', '54 79 70 65 45 72 72 6f 72', '61 fffd'],
)
fact(
  'UTF-16BE [97, 0, 98]',
  [
    codes(un([97, 0, 98], 'utf-16be')),
    attempt(() => codes(un([97, 0, 98], 'utf-16be', { fatal: true }))),
  ],
  ['6100 fffd', '54 79 70 65 45 72 72 6f 72'],
)
fact(
  'UTF-16LE [255, 254, 97, 0]',
  [
    codes(un([255, 254, 97, 0], 'utf-16')),
    attempt(() => codes(un([255, 254, 97, 0], 'utf-16le', { fatal: true }))),
    codes(un([255, 254, 97, 0], 'utf-16le', { ignoreBOM: true })),
  ],
  ['61', '61', 'feff 61'],
)
fact(
  'UTF-16BE [255, 254, 97, 0]',
  [
    codes(un([255, 254, 97, 0], 'utf-16be')),
    attempt(() => codes(un([255, 254, 97, 0], 'utf-16be', { fatal: true }))),
  ],
  ['fffe 6100', 'fffe 6100'],
)
fact(
  'UTF-16LE [254, 255, 0, 97]',
  [
    codes(un([254, 255, 0, 97], 'utf-16')),
    attempt(() => codes(un([254, 255, 0, 97], 'utf-16le', { fatal: true }))),
    codes(un([254, 255, 0, 97], 'utf-16le', { ignoreBOM: true })),
  ],
  ['fffe 6100', 'fffe 6100', 'fffe 6100'],
)
fact(
  'UTF-16BE [254, 255, 0, 97]',
  [
    codes(un([254, 255, 0, 97], 'utf-16be')),
    attempt(() => codes(un([254, 255, 0, 97], 'utf-16be', { fatal: true }))),
  ],
  ['61', '61'],
)
fact(
  'UTF-16LE [61, 216, 0, 222]',
  [
    codes(un([61, 216, 0, 222], 'utf-16')),
    attempt(() => codes(un([61, 216, 0, 222], 'utf-16le', { fatal: true }))),
    codes(un([61, 216, 0, 222], 'utf-16le', { ignoreBOM: true })),
  ],
  ['1f600', '1f600', '1f600'],
)
fact(
  'UTF-16BE [61, 216, 0, 222]',
  [
    codes(un([61, 216, 0, 222], 'utf-16be')),
    attempt(() => codes(un([61, 216, 0, 222], 'utf-16be', { fatal: true }))),
  ],
  ['3dd8 de', '3dd8 de'],
)
fact(
  'UTF-16LE [61, 216]',
  [
    codes(un([61, 216], 'utf-16')),
    attempt(() => codes(un([61, 216], 'utf-16le', { fatal: true }))),
    codes(un([61, 216], 'utf-16le', { ignoreBOM: true })),
  ],
  ['fffd', '54 79 70 65 45 72 72 6f 72', 'fffd'],
)
fact(
  'UTF-16BE [61, 216]',
  [
    codes(un([61, 216], 'utf-16be')),
    attempt(() => codes(un([61, 216], 'utf-16be', { fatal: true }))),
  ],
  ['3dd8', '3dd8'],
)
fact(
  'UTF-16LE [61, 216, 97, 0]',
  [
    codes(un([61, 216, 97, 0], 'utf-16')),
    attempt(() => codes(un([61, 216, 97, 0], 'utf-16le', { fatal: true }))),
    codes(un([61, 216, 97, 0], 'utf-16le', { ignoreBOM: true })),
  ],
  ['fffd 61', '54 79 70 65 45 72 72 6f 72', 'fffd 61'],
)
fact(
  'UTF-16BE [61, 216, 97, 0]',
  [
    codes(un([61, 216, 97, 0], 'utf-16be')),
    attempt(() => codes(un([61, 216, 97, 0], 'utf-16be', { fatal: true }))),
  ],
  ['3dd8 6100', '3dd8 6100'],
)
fact(
  'UTF-16LE [0, 220]',
  [
    codes(un([0, 220], 'utf-16')),
    attempt(() => codes(un([0, 220], 'utf-16le', { fatal: true }))),
    codes(un([0, 220], 'utf-16le', { ignoreBOM: true })),
  ],
  ['fffd', '54 79 70 65 45 72 72 6f 72', 'fffd'],
)
fact(
  'UTF-16BE [0, 220]',
  [
    codes(un([0, 220], 'utf-16be')),
    attempt(() => codes(un([0, 220], 'utf-16be', { fatal: true }))),
  ],
  ['dc', 'dc'],
)
fact(
  'UTF-16LE [61, 216, 0]',
  [
    codes(un([61, 216, 0], 'utf-16')),
    attempt(() => codes(un([61, 216, 0], 'utf-16le', { fatal: true }))),
    codes(un([61, 216, 0], 'utf-16le', { ignoreBOM: true })),
  ],
  ['fffd', '54 79 70 65 45 72 72 6f 72', 'fffd'],
)
fact(
  'UTF-16BE [61, 216, 0]',
  [
    codes(un([61, 216, 0], 'utf-16be')),
    attempt(() => codes(un([61, 216, 0], 'utf-16be', { fatal: true }))),
  ],
  ['3dd8 fffd', '54 79 70 65 45 72 72 6f 72'],
)
fact(
  'UTF-16LE [61, 216, 61, 216, 0, 222]',
  [
    codes(un([61, 216, 61, 216, 0, 222], 'utf-16')),
    attempt(() => codes(un([61, 216, 61, 216, 0, 222], 'utf-16le', { fatal: true }))),
    codes(un([61, 216, 61, 216, 0, 222], 'utf-16le', { ignoreBOM: true })),
  ],
  ['fffd 1f600', '54 79 70 65 45 72 72 6f 72', 'fffd 1f600'],
)
fact(
  'UTF-16BE [61, 216, 61, 216, 0, 222]',
  [
    codes(un([61, 216, 61, 216, 0, 222], 'utf-16be')),
    attempt(() => codes(un([61, 216, 61, 216, 0, 222], 'utf-16be', { fatal: true }))),
  ],
  ['3dd8 3dd8 de', '3dd8 3dd8 de'],
)
fact(
  'UTF-16LE [255, 254, 255, 254]',
  [
    codes(un([255, 254, 255, 254], 'utf-16')),
    attempt(() => codes(un([255, 254, 255, 254], 'utf-16le', { fatal: true }))),
    codes(un([255, 254, 255, 254], 'utf-16le', { ignoreBOM: true })),
  ],
  ['feff', 'feff', 'feff feff'],
)
fact(
  'UTF-16BE [255, 254, 255, 254]',
  [
    codes(un([255, 254, 255, 254], 'utf-16be')),
    attempt(() => codes(un([255, 254, 255, 254], 'utf-16be', { fatal: true }))),
  ],
  ['fffe fffe', 'fffe fffe'],
)
const stream = (chunks, label = 'utf-8', options = {}) =>
  attempt(() => {
    const d = new TextDecoder(label, options)
    const out = []
    for (const c of chunks) out.push(codes(d.decode(new Uint8Array(c), { stream: true })))
    out.push(codes(d.decode()))
    return out
  })
const each = (list) => list.map((b) => [b])
fact('stream by bytes', stream(each(enc.encode('aé€😀z'))), [
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  '',
])
fact('stream with a BOM in parts', stream([[0xef], [0xbb], [0xbf, 0x61], [0xef, 0xbb, 0xbf]]), [
  '',
  '',
  '61',
  'feff',
  '',
])
fact(
  'stream with a BOM kept',
  stream([[0xef], [0xbb], [0xbf, 0x61]], 'utf-8', { ignoreBOM: true }),
  ['', '', 'feff 61', ''],
)
fact('stream that is cut', stream([[0x61, 0xf0, 0x9f]]), ['61', 'fffd'])
fact('stream with a wrong start', stream([[0xf0, 0x9f], [0x61]]), ['', 'fffd 61', ''])
fact('stream with a wrong start of two', stream([[0xe2], [0x82], [0x28]]), ['', '', 'fffd 28', ''])
fact(
  'stream that is cut, fatal',
  stream([[0x61, 0xf0, 0x9f]], 'utf-8', { fatal: true }),
  'TypeError',
)
fact('stream with empty parts', stream([[], [0xc3], [], [0xa9], []]), ['', '', '', 'e9', '', ''])
fact(
  'stream UTF-16 by bytes',
  stream(each([0xff, 0xfe, 0x61, 0, 0x3d, 0xd8, 0, 0xde, 0x62, 0]), 'utf-16le'),
  ['', '', '', '61', '', '', '', '1f600', '', '62', ''],
)
fact('stream UTF-16 that is cut', stream([[0x61, 0, 0x3d], [0xd8]], 'utf-16le'), ['61', '', 'fffd'])
fact('stream UTF-16 odd', stream([[0x61, 0, 0x62]], 'utf-16le'), ['61', 'fffd'])
fact(
  'stream UTF-16BE by bytes',
  stream(each([0xfe, 0xff, 0, 0x61, 0xd8, 0x3d, 0xde, 0]), 'utf-16be'),
  ['', '', '', '61', '', '', '', '1f600', ''],
)
fact('stream of single bytes', stream([[0xe9], [0x80]], 'latin1'), ['e9', '20ac', ''])
fact(
  'after a stream it starts again',
  attempt(() => {
    const d = new TextDecoder()
    d.decode(new Uint8Array([0xe2]), { stream: true })
    const a = d.decode(new Uint8Array([0x82, 0xac]))
    return [codes(a), codes(d.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])))]
  }),
  ['20ac', '61'],
)
fact(
  'after an error it starts again',
  attempt(() => {
    const d = new TextDecoder('utf-8', { fatal: true })
    const a = thrown(() => d.decode(new Uint8Array([0xff])))
    return [a, d.decode(new Uint8Array([97]))]
  }),
  ['TypeError', 'a'],
)
fact(
  'BOM of each decode',
  attempt(() => {
    const d = new TextDecoder()
    const b = new Uint8Array([0xef, 0xbb, 0xbf, 97])
    return [d.decode(b), d.decode(b)]
  }),
  ['a', 'a'],
)
fact(
  'fatal and ignoreBOM are truth',
  attempt(() => {
    const d = new TextDecoder('utf-8', { fatal: 1, ignoreBOM: 'x' })
    return [d.fatal, d.ignoreBOM]
  }),
  [true, true],
)
fact('options null', new TextDecoder('utf-8', null).fatal, false)
fact(
  'options are a number',
  thrown(() => new TextDecoder('utf-8', 5)),
  'TypeError',
)
fact(
  'options throw',
  thrown(
    () =>
      new TextDecoder('utf-8', {
        get fatal() {
          throw new EvalError()
        },
      }),
  ),
  'EvalError',
)
fact(
  'labels that are none',
  ['', ' ', 'utf 8', 'utf-9', 'utf-8\0', 'utf-7', 'utf-32', null, 'x'.repeat(1000), '\ud800'].map(
    (l) => thrown(() => new TextDecoder(l)),
  ),
  [
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
    'RangeError',
  ],
)
fact(
  'labels with blanks',
  [' utf-8 ', '\tUTF8\n', 'Latin1', '\fascii\r'].map((l) => new TextDecoder(l).encoding),
  ['utf-8', 'utf-8', 'windows-1252', 'windows-1252'],
)
fact(
  'a label with another blank',
  thrown(() => new TextDecoder('\u00a0utf-8')),
  'RangeError',
)
fact('label undefined', new TextDecoder(undefined).encoding, 'utf-8')
fact(
  'label symbol',
  thrown(() => new TextDecoder(Symbol())),
  'TypeError',
)
fact(
  'getters want a decoder',
  thrown(() => Object.getOwnPropertyDescriptor(TextDecoder.prototype, 'encoding').get.call({})),
  'TypeError',
)
fact(
  'decode wants a decoder',
  thrown(() => dec.decode.call({}, new Uint8Array())),
  'TypeError',
)
fact('decode much', dec.decode(enc.encode('aé€😀'.repeat(10000))) === 'aé€😀'.repeat(10000), true)
fact('decode much that is wrong', dec.decode(new Uint8Array(50000).fill(0xff)).length, 50000)
fact(
  'there and back',
  attempt(() => {
    let s = ''
    for (let c = 0; c < 0x11000; c += 37) if (c < 0xd800 || c > 0xdfff) s += String.fromCodePoint(c)
    return dec.decode(enc.encode(s)) === s
  }),
  true,
)
fact(
  'labels of IBM866',
  ['866', 'cp866', 'csibm866', 'ibm866'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['ibm866', 'ibm866', 'ibm866', 'ibm866'],
)
fact(
  'bytes of IBM866',
  codes(un(all, 'ibm866')),
  'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u00a0',
)
fact(
  'labels of ISO-8859-6',
  [
    'arabic',
    'asmo-708',
    'csiso88596e',
    'csiso88596i',
    'csisolatinarabic',
    'ecma-114',
    'iso-8859-6',
    'iso-8859-6-e',
    'iso-8859-6-i',
    'iso-ir-127',
    'iso8859-6',
    'iso88596',
    'iso_8859-6',
    'iso_8859-6:1987',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
    'iso-8859-6',
  ],
)
fact(
  'bytes of ISO-8859-6',
  codes(un(all, 'iso-8859-6')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0���¤�������،­�������������؛���؟�ءآأؤإئابةتثجحخدذرزسشصضطظعغ�����ـفقكلمنهوىيًٌٍَُِّْ�������������',
)
fact(
  'labels of windows-1252',
  [
    'ascii',
    'cp1252',
    'cp819',
    'csisolatin1',
    'ibm819',
    'iso-8859-1',
    'iso-ir-100',
    'iso8859-1',
    'iso88591',
    'iso_8859-1',
    'iso_8859-1:1987',
    'l1',
    'latin1',
    'us-ascii',
    'windows-1252',
    'x-cp1252',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
    'windows-1252',
  ],
)
fact(
  'bytes of windows-1252',
  codes(un(all, 'windows-1252')),
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ\u00a0¡¢£¤¥¦§¨©ª«¬­®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
)
fact(
  'labels of windows-1250',
  ['cp1250', 'windows-1250', 'x-cp1250'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1250', 'windows-1250', 'windows-1250'],
)
fact(
  'bytes of windows-1250',
  codes(un(all, 'windows-1250')),
  '€\u0081‚\u0083„…†‡\u0088‰Š‹ŚŤŽŹ\u0090‘’“”•–—\u0098™š›śťžź\u00a0ˇ˘Ł¤Ą¦§¨©Ş«¬­®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙',
)
fact(
  'labels of windows-1251',
  ['cp1251', 'windows-1251', 'x-cp1251'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1251', 'windows-1251', 'windows-1251'],
)
fact(
  'bytes of windows-1251',
  codes(un(all, 'windows-1251')),
  'ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬­®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя',
)
fact(
  'labels of windows-1253',
  ['cp1253', 'windows-1253', 'x-cp1253'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1253', 'windows-1253', 'windows-1253'],
)
fact(
  'bytes of windows-1253',
  codes(un(all, 'windows-1253')),
  '€\u0081‚ƒ„…†‡\u0088‰\u008a‹\u008c\u008d\u008e\u008f\u0090‘’“”•–—\u0098™\u009a›\u009c\u009d\u009e\u009f\u00a0΅Ά£¤¥¦§¨©�«¬­®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ�',
)
fact(
  'labels of windows-1254',
  [
    'cp1254',
    'csisolatin5',
    'iso-8859-9',
    'iso-ir-148',
    'iso8859-9',
    'iso88599',
    'iso_8859-9',
    'iso_8859-9:1989',
    'l5',
    'latin5',
    'windows-1254',
    'x-cp1254',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
    'windows-1254',
  ],
)
fact(
  'bytes of windows-1254',
  codes(un(all, 'windows-1254')),
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008d\u008e\u008f\u0090‘’“”•–—˜™š›œ\u009d\u009eŸ\u00a0¡¢£¤¥¦§¨©ª«¬­®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ',
)
fact(
  'labels of windows-1255',
  ['cp1255', 'windows-1255', 'x-cp1255'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1255', 'windows-1255', 'windows-1255'],
)
fact(
  'bytes of windows-1255',
  codes(un(all, 'windows-1255')),
  '€\u0081‚ƒ„…†‡ˆ‰\u008a‹\u008c\u008d\u008e\u008f\u0090‘’“”•–—˜™\u009a›\u009c\u009d\u009e\u009f\u00a0¡¢£₪¥¦§¨©×«¬­®¯°±²³´µ¶·¸¹÷»¼½¾¿ְֱֲֳִֵֶַָֹֺֻּֽ־ֿ׀ׁׂ׃װױײ׳״�������אבגדהוזחטיךכלםמןנסעףפץצקרשת��\u200e\u200f�',
)
fact(
  'labels of windows-1256',
  ['cp1256', 'windows-1256', 'x-cp1256'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1256', 'windows-1256', 'windows-1256'],
)
fact(
  'bytes of windows-1256',
  codes(un(all, 'windows-1256')),
  '€پ‚ƒ„…†‡ˆ‰ٹ‹Œچژڈگ‘’“”•–—ک™ڑ›œ\u200c\u200dں\u00a0،¢£¤¥¦§¨©ھ«¬­®¯°±²³´µ¶·¸¹؛»¼½¾؟ہءآأؤإئابةتثجحخدذرزسشصض×طظعغـفقكàلâمنهوçèéêëىيîïًٌٍَôُِ÷ّùْûü\u200e\u200fے',
)
fact(
  'labels of windows-1257',
  ['cp1257', 'windows-1257', 'x-cp1257'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1257', 'windows-1257', 'windows-1257'],
)
fact(
  'bytes of windows-1257',
  codes(un(all, 'windows-1257')),
  '€\u0081‚\u0083„…†‡\u0088‰\u008a‹\u008c¨ˇ¸\u0090‘’“”•–—\u0098™\u009a›\u009c¯˛\u009f\u00a0�¢£¤�¦§Ø©Ŗ«¬­®Æ°±²³´µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž˙',
)
fact(
  'labels of windows-1258',
  ['cp1258', 'windows-1258', 'x-cp1258'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['windows-1258', 'windows-1258', 'windows-1258'],
)
fact(
  'bytes of windows-1258',
  codes(un(all, 'windows-1258')),
  '€\u0081‚ƒ„…†‡ˆ‰\u008a‹Œ\u008d\u008e\u008f\u0090‘’“”•–—˜™\u009a›œ\u009d\u009eŸ\u00a0¡¢£¤¥¦§¨©ª«¬­®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂĂÄÅÆÇÈÉÊË̀ÍÎÏĐÑ̉ÓÔƠÖ×ØÙÚÛÜỮßàáâăäåæçèéêë́íîïđṇ̃óôơö÷øùúûüư₫ÿ',
)
fact(
  'labels of ISO-8859-8',
  [
    'csiso88598e',
    'csisolatinhebrew',
    'hebrew',
    'iso-8859-8',
    'iso-8859-8-e',
    'iso-ir-138',
    'iso8859-8',
    'iso88598',
    'iso_8859-8',
    'iso_8859-8:1988',
    'visual',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
    'iso-8859-8',
  ],
)
fact(
  'bytes of ISO-8859-8',
  codes(un(all, 'iso-8859-8')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0�¢£¤¥¦§¨©×«¬­®¯°±²³´µ¶·¸¹÷»¼½¾��������������������������������‗אבגדהוזחטיךכלםמןנסעףפץצקרשת��\u200e\u200f�',
)
fact(
  'labels of ISO-8859-8-I',
  ['csiso88598i', 'iso-8859-8-i', 'logical'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['iso-8859-8-i', 'iso-8859-8-i', 'iso-8859-8-i'],
)
fact(
  'bytes of ISO-8859-8-I',
  codes(un(all, 'iso-8859-8-i')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0�¢£¤¥¦§¨©×«¬­®¯°±²³´µ¶·¸¹÷»¼½¾��������������������������������‗אבגדהוזחטיךכלםמןנסעףפץצקרשת��\u200e\u200f�',
)
fact(
  'labels of ISO-8859-2',
  [
    'csisolatin2',
    'iso-8859-2',
    'iso-ir-101',
    'iso8859-2',
    'iso88592',
    'iso_8859-2',
    'iso_8859-2:1987',
    'l2',
    'latin2',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
    'iso-8859-2',
  ],
)
fact(
  'bytes of ISO-8859-2',
  codes(un(all, 'iso-8859-2')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0Ą˘Ł¤ĽŚ§¨ŠŞŤŹ­ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙',
)
fact(
  'labels of ISO-8859-3',
  [
    'csisolatin3',
    'iso-8859-3',
    'iso-ir-109',
    'iso8859-3',
    'iso88593',
    'iso_8859-3',
    'iso_8859-3:1988',
    'l3',
    'latin3',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
    'iso-8859-3',
  ],
)
fact(
  'bytes of ISO-8859-3',
  codes(un(all, 'iso-8859-3')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0Ħ˘£¤�Ĥ§¨İŞĞĴ­�Ż°ħ²³´µĥ·¸ışğĵ½�żÀÁÂ�ÄĊĈÇÈÉÊËÌÍÎÏ�ÑÒÓÔĠÖ×ĜÙÚÛÜŬŜßàáâ�äċĉçèéêëìíîï�ñòóôġö÷ĝùúûüŭŝ˙',
)
fact(
  'labels of ISO-8859-4',
  [
    'csisolatin4',
    'iso-8859-4',
    'iso-ir-110',
    'iso8859-4',
    'iso88594',
    'iso_8859-4',
    'iso_8859-4:1988',
    'l4',
    'latin4',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
    'iso-8859-4',
  ],
)
fact(
  'bytes of ISO-8859-4',
  codes(un(all, 'iso-8859-4')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0ĄĸŖ¤ĨĻ§¨ŠĒĢŦ­Ž¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö÷øųúûüũū˙',
)
fact(
  'labels of ISO-8859-10',
  ['csisolatin6', 'iso-8859-10', 'iso-ir-157', 'iso8859-10', 'iso885910', 'l6', 'latin6'].map((l) =>
    attempt(() => new TextDecoder(l).encoding),
  ),
  [
    'iso-8859-10',
    'iso-8859-10',
    'iso-8859-10',
    'iso-8859-10',
    'iso-8859-10',
    'iso-8859-10',
    'iso-8859-10',
  ],
)
fact(
  'bytes of ISO-8859-10',
  codes(un(all, 'iso-8859-10')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0ĄĒĢĪĨĶ§ĻĐŠŦŽ­ŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėíîïðņōóôõöũøųúûüýþĸ',
)
fact(
  'labels of ISO-8859-15',
  ['csisolatin9', 'iso-8859-15', 'iso8859-15', 'iso885915', 'iso_8859-15', 'l9'].map((l) =>
    attempt(() => new TextDecoder(l).encoding),
  ),
  ['iso-8859-15', 'iso-8859-15', 'iso-8859-15', 'iso-8859-15', 'iso-8859-15', 'iso-8859-15'],
)
fact(
  'bytes of ISO-8859-15',
  codes(un(all, 'iso-8859-15')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0¡¢£€¥Š§š©ª«¬­®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
)
fact(
  'labels of ISO-8859-5',
  [
    'csisolatincyrillic',
    'cyrillic',
    'iso-8859-5',
    'iso-ir-144',
    'iso8859-5',
    'iso88595',
    'iso_8859-5',
    'iso_8859-5:1988',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-5',
    'iso-8859-5',
    'iso-8859-5',
    'iso-8859-5',
    'iso-8859-5',
    'iso-8859-5',
    'iso-8859-5',
    'iso-8859-5',
  ],
)
fact(
  'bytes of ISO-8859-5',
  codes(un(all, 'iso-8859-5')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0ЁЂЃЄЅІЇЈЉЊЋЌ­ЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ',
)
fact(
  'labels of ISO-8859-7',
  [
    'csisolatingreek',
    'ecma-118',
    'elot_928',
    'greek',
    'greek8',
    'iso-8859-7',
    'iso-ir-126',
    'iso8859-7',
    'iso88597',
    'iso_8859-7',
    'iso_8859-7:1987',
    'sun_eu_greek',
  ].map((l) => attempt(() => new TextDecoder(l).encoding)),
  [
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
    'iso-8859-7',
  ],
)
fact(
  'bytes of ISO-8859-7',
  codes(un(all, 'iso-8859-7')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0‘’£€₯¦§¨©ͺ«¬­�―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ�',
)
fact(
  'labels of KOI8-R',
  ['cskoi8r', 'koi', 'koi8', 'koi8-r', 'koi8_r'].map((l) =>
    attempt(() => new TextDecoder(l).encoding),
  ),
  ['koi8-r', 'koi8-r', 'koi8-r', 'koi8-r', 'koi8-r'],
)
fact(
  'bytes of KOI8-R',
  codes(un(all, 'koi8-r')),
  '─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u00a0⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ',
)
fact(
  'labels of macintosh',
  ['csmacintosh', 'mac', 'macintosh', 'x-mac-roman'].map((l) =>
    attempt(() => new TextDecoder(l).encoding),
  ),
  ['macintosh', 'macintosh', 'macintosh', 'macintosh'],
)
fact(
  'bytes of macintosh',
  codes(un(all, 'macintosh')),
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ',
)
fact(
  'labels of UTF-16LE',
  ['csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff', 'utf-16', 'utf-16le'].map(
    (l) => attempt(() => new TextDecoder(l).encoding),
  ),
  ['utf-16le', 'utf-16le', 'utf-16le', 'utf-16le', 'utf-16le', 'utf-16le', 'utf-16le'],
)
fact(
  'labels of windows-874',
  ['dos-874', 'iso-8859-11', 'iso8859-11', 'iso885911', 'tis-620', 'windows-874'].map((l) =>
    attempt(() => new TextDecoder(l).encoding),
  ),
  ['windows-874', 'windows-874', 'windows-874', 'windows-874', 'windows-874', 'windows-874'],
)
fact(
  'bytes of windows-874',
  codes(un(all, 'windows-874')),
  '€\u0081\u0082\u0083\u0084…\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090‘’“”•–—\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุู����฿เแโใไๅๆ็่้๊๋์ํ๎๏๐๑๒๓๔๕๖๗๘๙๚๛����',
)
fact(
  'labels of ISO-8859-13',
  ['iso-8859-13', 'iso8859-13', 'iso885913'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['iso-8859-13', 'iso-8859-13', 'iso-8859-13'],
)
fact(
  'bytes of ISO-8859-13',
  codes(un(all, 'iso-8859-13')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0”¢£¤„¦§Ø©Ŗ«¬­®Æ°±²³“µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž’',
)
fact(
  'labels of ISO-8859-14',
  ['iso-8859-14', 'iso8859-14', 'iso885914'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['iso-8859-14', 'iso-8859-14', 'iso-8859-14'],
)
fact(
  'bytes of ISO-8859-14',
  codes(un(all, 'iso-8859-14')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ­®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüýŷÿ',
)
fact(
  'labels of ISO-8859-16',
  ['iso-8859-16'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['iso-8859-16'],
)
fact(
  'bytes of ISO-8859-16',
  codes(un(all, 'iso-8859-16')),
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0ĄąŁ€„Š§š©Ș«Ź­źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
)
fact(
  'labels of KOI8-U',
  ['koi8-ru', 'koi8-u'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['koi8-u', 'koi8-u'],
)
fact(
  'bytes of KOI8-U',
  codes(un(all, 'koi8-u')),
  '─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u00a0⌡°²·÷═║╒ёє╔ії╗╘╙╚╛ґў╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪ҐЎ©юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ',
)
fact(
  'labels of UTF-8',
  ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'].map(
    (l) => attempt(() => new TextDecoder(l).encoding),
  ),
  ['utf-8', 'utf-8', 'utf-8', 'utf-8', 'utf-8', 'utf-8'],
)
fact(
  'labels of UTF-16BE',
  ['unicodefffe', 'utf-16be'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['utf-16be', 'utf-16be'],
)
fact(
  'labels of x-mac-cyrillic',
  ['x-mac-cyrillic', 'x-mac-ukrainian'].map((l) => attempt(() => new TextDecoder(l).encoding)),
  ['x-mac-cyrillic', 'x-mac-cyrillic'],
)
fact(
  'bytes of x-mac-cyrillic',
  codes(un(all, 'x-mac-cyrillic')),
  'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ†°Ґ£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµґЈЄєЇїЉљЊњјЅ¬√ƒ≈∆«»…\u00a0ЋћЌќѕ–—“”‘’÷„ЎўЏџ№Ёёяабвгдежзийклмнопрстуфхцчшщъыьэю€',
)
fact(
  'label gbk',
  thrown(() => new TextDecoder('gbk')),
  'nothing',
  { engine: 'RangeError' },
)
fact(
  'label shift_jis',
  thrown(() => new TextDecoder('shift_jis')),
  'nothing',
  { engine: 'RangeError' },
)
fact(
  'label big5',
  thrown(() => new TextDecoder('big5')),
  'nothing',
  { engine: 'RangeError' },
)
fact(
  'label euc-kr',
  thrown(() => new TextDecoder('euc-kr')),
  'nothing',
  { engine: 'RangeError' },
)
fact(
  'label iso-2022-kr',
  thrown(() => new TextDecoder('iso-2022-kr')),
  'RangeError',
)
fact(
  'label x-user-defined',
  thrown(() => new TextDecoder('x-user-defined')),
  'nothing',
  { engine: 'RangeError' },
)
fact(
  'btoa ""',
  attempt(() => btoa('')),
  '',
)
fact(
  'btoa "a"',
  attempt(() => btoa('a')),
  'YQ==',
)
fact(
  'btoa "ab"',
  attempt(() => btoa('ab')),
  'YWI=',
)
fact(
  'btoa "abc"',
  attempt(() => btoa('abc')),
  'YWJj',
)
fact(
  'btoa "abcd"',
  attempt(() => btoa('abcd')),
  'YWJjZA==',
)
fact(
  'btoa "\\u0000"',
  attempt(() => btoa('\u0000')),
  'AA==',
)
fact(
  'btoa "\\u00e9"',
  attempt(() => btoa('\u00e9')),
  '6Q==',
)
fact(
  'btoa "\\u00ff"',
  attempt(() => btoa('\u00ff')),
  '/w==',
)
fact(
  'btoa "\\u20ac"',
  attempt(() => btoa('\u20ac')),
  'DOMException InvalidCharacterError',
)
fact(
  'btoa "\\ud83d\\ude00"',
  attempt(() => btoa('\ud83d\ude00')),
  'DOMException InvalidCharacterError',
)
fact(
  'btoa "\\ud800"',
  attempt(() => btoa('\ud800')),
  'DOMException InvalidCharacterError',
)
fact(
  'btoa "a b\\nc"',
  attempt(() => btoa('a b\nc')),
  'YSBiCmM=',
)
fact(
  'btoa "null"',
  attempt(() => btoa('null')),
  'bnVsbA==',
)
fact(
  'atob ""',
  attempt(() => codes(atob(''))),
  '',
)
fact(
  'atob "YQ=="',
  attempt(() => codes(atob('YQ=='))),
  '61',
)
fact(
  'atob "YQ="',
  attempt(() => codes(atob('YQ='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YQ"',
  attempt(() => codes(atob('YQ'))),
  '61',
)
fact(
  'atob "YWI="',
  attempt(() => codes(atob('YWI='))),
  '61 62',
)
fact(
  'atob "YWJj"',
  attempt(() => codes(atob('YWJj'))),
  '61 62 63',
)
fact(
  'atob " Y Q = = "',
  attempt(() => codes(atob(' Y Q = = '))),
  '61',
)
fact(
  'atob "\\tYQ\\n==\\f\\r"',
  attempt(() => codes(atob('\tYQ\n==\f\r'))),
  '61',
)
fact(
  'atob "YQ==="',
  attempt(() => codes(atob('YQ==='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YQ==YQ=="',
  attempt(() => codes(atob('YQ==YQ=='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "="',
  attempt(() => codes(atob('='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "=="',
  attempt(() => codes(atob('=='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "===="',
  attempt(() => codes(atob('===='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "Y"',
  attempt(() => codes(atob('Y'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YWJjZ"',
  attempt(() => codes(atob('YWJjZ'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YW-j"',
  attempt(() => codes(atob('YW-j'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YW_j"',
  attempt(() => codes(atob('YW_j'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YR=="',
  attempt(() => codes(atob('YR=='))),
  '61',
)
fact(
  'atob "YWJ="',
  attempt(() => codes(atob('YWJ='))),
  '61 62',
)
fact(
  'atob "YWJ"',
  attempt(() => codes(atob('YWJ'))),
  '61 62',
)
fact(
  'atob "\\u00e9"',
  attempt(() => codes(atob('\u00e9'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YQ\\u00a0"',
  attempt(() => codes(atob('YQ\u00a0'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "YQ\\u0000"',
  attempt(() => codes(atob('YQ\u0000'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "a"',
  attempt(() => codes(atob('a'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "ab"',
  attempt(() => codes(atob('ab'))),
  '69',
)
fact(
  'atob "abc"',
  attempt(() => codes(atob('abc'))),
  '69 b7',
)
fact(
  'atob "abcd"',
  attempt(() => codes(atob('abcd'))),
  '69 b7 1d',
)
fact(
  'atob "//79"',
  attempt(() => codes(atob('//79'))),
  'ff fe fd',
)
fact(
  'atob "YQ=a"',
  attempt(() => codes(atob('YQ=a'))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "Y=Q="',
  attempt(() => codes(atob('Y=Q='))),
  'DOMException InvalidCharacterError',
)
fact(
  'atob "\\ud800"',
  attempt(() => codes(atob('\ud800'))),
  'DOMException InvalidCharacterError',
)
fact(
  'btoa of null',
  [btoa(null), btoa(12), btoa(true), btoa(undefined), btoa([1, 2]), btoa({ toString: () => 'o' })],
  ['bnVsbA==', 'MTI=', 'dHJ1ZQ==', 'dW5kZWZpbmVk', 'MSwy', 'bw=='],
)
fact(
  'atob of null',
  [codes(atob(null)), attempt(() => codes(atob(12))), attempt(() => codes(atob(undefined)))],
  ['9e e9 65', 'd7', 'DOMException InvalidCharacterError'],
)
fact(
  'without an argument',
  [thrown(() => btoa()), thrown(() => atob())],
  ['TypeError', 'TypeError'],
)
fact(
  'of a symbol',
  [thrown(() => btoa(Symbol())), thrown(() => atob(Symbol()))],
  ['TypeError', 'TypeError'],
)
fact(
  'all bytes there and back',
  attempt(() => {
    const s = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('')
    return [btoa(s), atob(btoa(s)) === s]
  }),
  [
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w==',
    true,
  ],
)
fact(
  'much there and back',
  attempt(() => {
    const s = 'x\xff'.repeat(50000)
    return atob(btoa(s)) === s
  }),
  true,
)
