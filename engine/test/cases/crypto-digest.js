const { subtle } = crypto
const utf8 = new TextEncoder()
const bytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const hex = (data) =>
  Array.from(new Uint8Array(data), (b) => b.toString(16).padStart(2, '0')).join('')
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (b) => parseInt(b, 16))
const data = utf8.encode('the message')
const short = (text) => (text.length > 80 ? `${text.slice(0, 60)}…${text.length}` : text)
/** What a promise gives or the name of its error. */
const gives = async (run) => {
  try {
    return await run()
  } catch (error) {
    return rejected(() => {
      throw error
    })
  }
}
const describe = (key) => [
  key.type,
  key.extractable,
  JSON.stringify(key.algorithm, (_, v) => (ArrayBuffer.isView(v) ? [...v] : v)),
  [...key.usages].join(),
]
const isTrue = async (run) => (await gives(run)) === true
fact(
  'tags',
  [
    Object.prototype.toString.call(crypto),
    Object.prototype.toString.call(subtle),
    typeof CryptoKey,
    typeof SubtleCrypto,
    typeof Crypto,
  ],
  ['[object Crypto]', '[object SubtleCrypto]', 'function', 'function', 'function'],
)
fact(
  'illegal Crypto',
  thrown(() => new Crypto()),
  'TypeError',
)
fact(
  'illegal CryptoKey',
  thrown(() => new CryptoKey()),
  'TypeError',
)
fact(
  'illegal SubtleCrypto',
  thrown(() => new SubtleCrypto()),
  'TypeError',
)
fact(
  'SHA-1',
  hex(await subtle.digest('SHA-1', utf8.encode('abc'))),
  'a9993e364706816aba3e25717850c26c9cd0d89d',
)
fact(
  'SHA-256',
  hex(await subtle.digest('SHA-256', utf8.encode('abc'))),
  'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
)
fact(
  'SHA-384',
  hex(await subtle.digest('SHA-384', utf8.encode('abc'))),
  'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
)
fact(
  'SHA-512',
  hex(await subtle.digest('SHA-512', utf8.encode('abc'))),
  'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
)
fact(
  'empty',
  hex(await subtle.digest('SHA-256', new Uint8Array())),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
)
fact(
  'empty buffer',
  hex(await subtle.digest('sha-256', new ArrayBuffer(0))),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
)
fact(
  'case of names',
  hex(await subtle.digest('sHa-256', data)),
  'c9946a075fd077dde6476a4669e543ca6bcd59064ccc1173477f7b4c9d005825',
)
fact(
  'name in an object',
  hex(await subtle.digest({ name: 'SHA-256' }, data)),
  'c9946a075fd077dde6476a4669e543ca6bcd59064ccc1173477f7b4c9d005825',
)
fact(
  'a million a',
  hex(await subtle.digest('SHA-256', new Uint8Array(1e6).fill(97))),
  'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
)
fact(
  '55 bytes',
  hex(await subtle.digest('SHA-1', new Uint8Array(55))),
  '8e8832c642a6a38c74c17fc92ccedc266c108e6c',
)
fact(
  '56 bytes',
  hex(await subtle.digest('SHA-1', new Uint8Array(56))),
  '9438e360f578e12c0e0e8ed28e2c125c1cefee16',
)
fact(
  '64 bytes',
  hex(await subtle.digest('SHA-256', new Uint8Array(64))),
  'f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b',
)
fact(
  '111 bytes',
  hex(await subtle.digest('SHA-512', new Uint8Array(111))),
  '77ddd3a542e530fd047b8977c657ba6ce72f1492e360b2b2212cd264e75ec03882e4ff0525517ab4207d14c70c2259ba88d4d335ee0e7e20543d22102ab1788c',
)
fact(
  '112 bytes',
  hex(await subtle.digest('SHA-384', new Uint8Array(112))),
  '3e0cbf3aee0e3aa70415beae1bd12dd7db821efa446440f12132edffce76f635e53526a111491e75ee8e27b9700eec20',
)
fact(
  'Uint16Array',
  hex(await subtle.digest('SHA-256', new Uint16Array([1, 2, 3]))),
  '047dbf5366372631ba7e3e02520e651446b899c96c4b64663bac378a298a7bf7',
)
fact(
  'Float64Array',
  hex(await subtle.digest('SHA-256', new Float64Array([1.5]))),
  'e163f8cb0f7067a7fc78ca859a77f849aea3214f38fb75b884e4a16be725c905',
)
fact(
  'BigInt64Array',
  hex(await subtle.digest('SHA-256', new BigInt64Array([1n]))),
  '7c9fa136d4413fa6173637e883b6998d32e1d675f88cddff9dcbcf331820f4b8',
)
fact(
  'DataView',
  hex(await subtle.digest('SHA-256', new DataView(data.slice().buffer, 2, 3))),
  '09a985e5be990602021e5664a91fef91636b2cfce3cd3a23c1b67e65258eb622',
)
fact(
  'a part of a buffer',
  hex(await subtle.digest('SHA-256', data.subarray(3, 6))),
  '516f64febc634399dbf16bd878257179838b93d3a058372c65a6bdf9940f8d5d',
)
fact('not a promise to wait for', subtle.digest('SHA-256', data) instanceof Promise, true)
fact('a string is no data', await gives(() => subtle.digest('SHA-256', 'text')), 'TypeError')
fact('an array is no data', await gives(() => subtle.digest('SHA-256', [1, 2])), 'TypeError')
fact('null is no data', await gives(() => subtle.digest('SHA-256', null)), 'TypeError')
fact(
  'a lying object',
  await gives(() =>
    subtle.digest('SHA-256', { buffer: new ArrayBuffer(8), byteLength: 99, byteOffset: 0 }),
  ),
  'TypeError',
)
fact('MD5', await gives(() => subtle.digest('MD5', data)), 'DOMException NotSupportedError')
fact(
  'null algorithm',
  await gives(() => subtle.digest(null, data)),
  'DOMException NotSupportedError',
)
fact(
  'undefined algorithm',
  await gives(() => subtle.digest(undefined, data)),
  'DOMException NotSupportedError',
)
fact(
  'number algorithm',
  await gives(() => subtle.digest(5, data)),
  'DOMException NotSupportedError',
)
fact('symbol algorithm', await gives(() => subtle.digest(Symbol(), data)), 'TypeError')
fact('no name', await gives(() => subtle.digest({}, data)), 'TypeError')
fact(
  'name is a number',
  await gives(() => subtle.digest({ name: 1 }, data)),
  'DOMException NotSupportedError',
)
fact(
  'name with NUL',
  await gives(() => subtle.digest('SHA-256\0', data)),
  'DOMException NotSupportedError',
)
fact(
  'name with a blank',
  await gives(() => subtle.digest(' SHA-256', data)),
  'DOMException NotSupportedError',
)
fact(
  'long name',
  await gives(() => subtle.digest('x'.repeat(1e6), data)),
  'DOMException NotSupportedError',
)
fact(
  'lone surrogate name',
  await gives(() => subtle.digest('\ud800', data)),
  'DOMException NotSupportedError',
)
fact('no arguments', await gives(() => subtle.digest()), 'TypeError')
fact('one argument', await gives(() => subtle.digest('SHA-256')), 'TypeError')
fact('wrong receiver', await gives(() => subtle.digest.call({}, 'SHA-256', data)), 'TypeError')
fact('no receiver', await gives(() => subtle.digest.call(undefined, 'SHA-256', data)), 'TypeError')
fact(
  'name as a function',
  hex(await subtle.digest({ name: { toString: () => 'SHA-256' } }, data)),
  'c9946a075fd077dde6476a4669e543ca6bcd59064ccc1173477f7b4c9d005825',
)
fact(
  'a throwing getter',
  await gives(() =>
    subtle.digest(
      {
        get name() {
          throw new RangeError('mine')
        },
      },
      data,
    ),
  ),
  'RangeError',
)
fact(
  'thrown text',
  await gives(() =>
    subtle.digest(
      {
        get name() {
          throw 'mine'
        },
      },
      data,
    ),
  ),
  'thrown mine',
)
fact(
  'a proxy',
  hex(await subtle.digest(new Proxy({ name: 'SHA-256' }, {}), data)),
  'c9946a075fd077dde6476a4669e543ca6bcd59064ccc1173477f7b4c9d005825',
)
const moved = utf8.encode('abcdef')
fact(
  'a getter that detaches',
  await gives(async () =>
    hex(
      await subtle.digest(
        {
          get name() {
            moved.buffer.transfer?.()
            return 'SHA-256'
          },
        },
        moved,
      ),
    ),
  ),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
)
const gone = new Uint8Array(8)
gone.buffer.transfer()
fact(
  'detached',
  hex(await subtle.digest('SHA-256', gone)),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
)
const growing = new Uint8Array(new ArrayBuffer(8, { maxByteLength: 64 }))
fact(
  'a getter that shrinks',
  await gives(
    async () =>
      typeof hex(
        await subtle.digest(
          {
            get name() {
              growing.buffer.resize(2)
              return 'SHA-256'
            },
          },
          growing,
        ),
      ),
  ),
  'string',
)
fact(
  'shared memory',
  await gives(() => subtle.digest('SHA-256', new Uint8Array(new SharedArrayBuffer(8)))),
  'TypeError',
)
fact('the result is a buffer', (await subtle.digest('SHA-512', data)) instanceof ArrayBuffer, true)
fact(
  'the data is copied',
  await (async () => {
    const d = data.slice()
    const p = subtle.digest('SHA-256', d)
    d.fill(0)
    return hex(await p)
  })(),
  'c9946a075fd077dde6476a4669e543ca6bcd59064ccc1173477f7b4c9d005825',
)
fact('subtle is one', crypto.subtle === crypto.subtle, true)
fact('methods are not own', Object.keys(subtle).length, 0)
