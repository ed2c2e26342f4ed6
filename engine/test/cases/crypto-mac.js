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
const hmacKey = (raw, hash = 'SHA-256', usages = ['sign', 'verify'], more = {}) =>
  subtle.importKey('raw', raw, { name: 'HMAC', hash, ...more }, true, usages)
const secret = utf8.encode('a secret')
for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])
  globalThis['k' + hash] = await hmacKey(secret, hash)
const k = globalThis['kSHA-256']
fact(
  'HMAC SHA-1',
  hex(await subtle.sign('HMAC', globalThis['kSHA-1'], data)),
  'b96b04970c7c4f4f8cf6e1f2da95c363768a8859',
)
fact(
  'HMAC SHA-256',
  hex(await subtle.sign('HMAC', k, data)),
  'efd338adce13891355697b26e461328ea3de3d467360651c4ee56c0db8428525',
)
fact(
  'HMAC SHA-384',
  hex(await subtle.sign('HMAC', globalThis['kSHA-384'], data)),
  'da817f55b38cbc9483f39f478b70cf9c09889c35edaf0d62e402dc0651ad0f23e39f77ab8088d0ca07070367a3063da0',
)
fact(
  'HMAC SHA-512',
  hex(await subtle.sign({ name: 'hmac' }, globalThis['kSHA-512'], data)),
  '5bf07abc88383ad57775f8b777dc14054758465d8f1afe459ba918c7b3a44839711ac9e7e786df1ed446c9709c2fb86f0387c2fa1a7e7574094575402d74b56e',
)
fact(
  'RFC 4231 case 1',
  hex(
    await subtle.sign(
      'HMAC',
      await hmacKey(new Uint8Array(20).fill(0x0b)),
      utf8.encode('Hi There'),
    ),
  ),
  'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
)
fact(
  'RFC 4231 case 2',
  hex(
    await subtle.sign(
      'HMAC',
      await hmacKey(utf8.encode('Jefe')),
      utf8.encode('what do ya want for nothing?'),
    ),
  ),
  '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
)
fact(
  'RFC 4231 case 6',
  hex(
    await subtle.sign(
      'HMAC',
      await hmacKey(new Uint8Array(131).fill(0xaa)),
      utf8.encode('Test Using Larger Than Block-Size Key - Hash Key First'),
    ),
  ),
  '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
)
fact('key', describe(k), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-256"}}',
  'sign,verify',
])
fact('key SHA-512', describe(globalThis['kSHA-512']), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-512"}}',
  'sign,verify',
])
fact('tag of a key', Object.prototype.toString.call(k), '[object CryptoKey]')
fact('algorithm is one object', k.algorithm === k.algorithm, true)
fact('usages are one array', k.usages === k.usages, true)
fact(
  'the getters want a key',
  thrown(() => Object.getOwnPropertyDescriptor(CryptoKey.prototype, 'type').get.call({})),
  'TypeError',
)
fact(
  'a key cannot be changed',
  [
    k.type,
    thrown(() => {
      'use strict'
      k.type = 'public'
    }),
    k.type,
  ],
  ['secret', 'TypeError', 'secret'],
)
const mac = await subtle.sign('HMAC', k, data)
fact('verify', await subtle.verify('HMAC', k, mac, data), true)
fact('verify other data', await subtle.verify('HMAC', k, mac, secret), false)
fact('verify truncated', await subtle.verify('HMAC', k, mac.slice(0, 16), data), false)
fact('verify one byte less', await subtle.verify('HMAC', k, mac.slice(0, 31), data), false)
fact(
  'verify longer',
  await subtle.verify('HMAC', k, new Uint8Array([...new Uint8Array(mac), 0]), data),
  false,
)
fact('verify empty', await subtle.verify('HMAC', k, new Uint8Array(), data), false)
fact(
  'verify one bit off',
  await subtle.verify(
    'HMAC',
    k,
    Uint8Array.from(new Uint8Array(mac), (b, i) => (i === 31 ? b ^ 1 : b)),
    data,
  ),
  false,
)
fact('verify a view', await subtle.verify('HMAC', k, new DataView(mac), data), true)
fact(
  'signature is a string',
  await gives(() => subtle.verify('HMAC', k, 'text', data)),
  'TypeError',
)
fact('no data', await gives(() => subtle.sign('HMAC', k)), 'TypeError')
fact('wrong algorithm', await gives(() => subtle.sign('ECDSA', k, data)), 'TypeError')
fact(
  'wrong algorithm with a hash',
  await gives(() => subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, k, data)),
  'DOMException InvalidAccessError',
)
fact('not a key', await gives(() => subtle.sign('HMAC', {}, data)), 'TypeError')
fact(
  'a faked key',
  await gives(() => subtle.sign('HMAC', Object.create(CryptoKey.prototype), data)),
  'TypeError',
)
fact(
  'a proxy of a key',
  await gives(() => subtle.sign('HMAC', new Proxy(k, {}), data)),
  'TypeError',
)
fact(
  'sign without the usage',
  await gives(async () => subtle.sign('HMAC', await hmacKey(secret, 'SHA-256', ['verify']), data)),
  'DOMException InvalidAccessError',
)
fact(
  'verify without the usage',
  await gives(async () =>
    subtle.verify('HMAC', await hmacKey(secret, 'SHA-256', ['sign']), mac, data),
  ),
  'DOMException InvalidAccessError',
)
fact(
  'no hash',
  await gives(() => subtle.importKey('raw', secret, { name: 'HMAC' }, true, ['sign'])),
  'TypeError',
)
fact(
  'hash as an object',
  await isTrue(
    async () => (await hmacKey(secret, { name: 'sha-256' })).algorithm.hash.name === 'SHA-256',
  ),
  true,
)
fact('hash MD5', await gives(() => hmacKey(secret, 'MD5')), 'DOMException NotSupportedError')
fact('no usages', await gives(() => hmacKey(secret, 'SHA-256', [])), 'DOMException SyntaxError')
fact(
  'other usages',
  await gives(() => hmacKey(secret, 'SHA-256', ['encrypt'])),
  'DOMException SyntaxError',
)
fact('unknown usage', await gives(() => hmacKey(secret, 'SHA-256', ['signs'])), 'TypeError')
fact('usages twice', describe(await hmacKey(secret, 'SHA-256', ['verify', 'sign', 'sign'])), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-256"}}',
  'sign,verify',
])
fact('usages of a set', describe(await hmacKey(secret, 'SHA-256', new Set(['sign']))), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-256"}}',
  'sign',
])
fact('usages are no list', await gives(() => hmacKey(secret, 'SHA-256', 'sign')), 'TypeError')
fact('usages are null', await gives(() => hmacKey(secret, 'SHA-256', null)), 'TypeError')
fact(
  'usages that throw',
  await gives(() =>
    hmacKey(secret, 'SHA-256', {
      *[Symbol.iterator]() {
        yield 'sign'
        throw new EvalError('mine')
      },
    }),
  ),
  'EvalError',
)
fact('empty key', await gives(() => hmacKey(new Uint8Array())), 'DOMException DataError')
fact('length', describe(await hmacKey(new Uint8Array(8), 'SHA-256', ['sign'], { length: 64 })), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-256"}}',
  'sign',
])
fact(
  'length too long',
  await gives(() => hmacKey(new Uint8Array(8), 'SHA-256', ['sign'], { length: 65 })),
  'DOMException DataError',
)
fact(
  'length too short',
  await gives(() => hmacKey(new Uint8Array(8), 'SHA-256', ['sign'], { length: 32 })),
  'DOMException DataError',
)
fact(
  'length negative',
  await gives(() => hmacKey(new Uint8Array(8), 'SHA-256', ['sign'], { length: -1 })),
  'TypeError',
)
fact(
  'length NaN',
  await gives(() => hmacKey(new Uint8Array(8), 'SHA-256', ['sign'], { length: 'x' })),
  'TypeError',
)
fact(
  'length a BigInt',
  await gives(() => hmacKey(new Uint8Array(8), 'SHA-256', ['sign'], { length: 64n })),
  'TypeError',
)
fact(
  'format unknown',
  await gives(() =>
    subtle.importKey('der', secret, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']),
  ),
  'TypeError',
)
fact(
  'format spki',
  await gives(() =>
    subtle.importKey('spki', secret, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']),
  ),
  'DOMException NotSupportedError',
)
fact(
  'raw of a string',
  await gives(() =>
    subtle.importKey('raw', 'text', { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']),
  ),
  'TypeError',
)
fact(
  'raw of an object',
  await gives(() => subtle.importKey('raw', {}, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign'])),
  'TypeError',
)
fact(
  'four arguments',
  await gives(() => subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, true)),
  'TypeError',
)
const jwkKey = (jwk, hash = 'SHA-256', extractable = true, usages = ['sign', 'verify']) =>
  subtle.importKey('jwk', jwk, { name: 'HMAC', hash }, extractable, usages)
fact('jwk', describe(await jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ' })), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-256"}}',
  'sign,verify',
])
fact(
  'jwk signs the same',
  hex(await subtle.sign('HMAC', await jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ' }), data)),
  'efd338adce13891355697b26e461328ea3de3d467360651c4ee56c0db8428525',
)
fact('jwk with alg', describe(await jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', alg: 'HS256' })), [
  'secret',
  true,
  '{"name":"HMAC","length":64,"hash":{"name":"SHA-256"}}',
  'sign,verify',
])
fact(
  'jwk with a wrong alg',
  await gives(() => jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', alg: 'HS512' })),
  'DOMException DataError',
)
fact(
  'jwk with a wrong kty',
  await gives(() => jwkKey({ kty: 'RSA', k: 'YSBzZWNyZXQ' })),
  'DOMException DataError',
)
fact('jwk without kty', await gives(() => jwkKey({ k: 'YSBzZWNyZXQ' })), 'DOMException DataError')
fact('jwk without k', await gives(() => jwkKey({ kty: 'oct' })), 'DOMException DataError')
fact('jwk use sig', (await jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', use: 'sig' })).type, 'secret')
fact(
  'jwk use enc',
  await gives(() => jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', use: 'enc' })),
  'DOMException DataError',
)
fact(
  'jwk key_ops',
  (await jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', key_ops: ['sign', 'verify', 'x'] })).type,
  'secret',
)
fact(
  'jwk key_ops too few',
  await gives(() => jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', key_ops: ['sign'] })),
  'DOMException DataError',
)
fact(
  'jwk key_ops twice',
  await gives(() => jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', key_ops: ['sign', 'sign', 'verify'] })),
  'DOMException DataError',
)
fact(
  'jwk ext false',
  await gives(() => jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', ext: false })),
  'DOMException DataError',
)
fact(
  'jwk ext false, not extractable',
  (await jwkKey({ kty: 'oct', k: 'YSBzZWNyZXQ', ext: false }, 'SHA-256', false)).extractable,
  false,
)
fact('jwk is bytes', await gives(() => jwkKey(secret)), 'TypeError', {
  node: 'DOMException DataError',
})
fact('jwk is a string', await gives(() => jwkKey('text')), 'TypeError')
fact('jwk is null', await gives(() => jwkKey(null)), 'DOMException DataError')
fact(
  'jwk with a throwing getter',
  await gives(() =>
    jwkKey({
      kty: 'oct',
      get k() {
        throw new EvalError('mine')
      },
    }),
  ),
  'EvalError',
)
fact('jwk k is no text', await gives(() => jwkKey({ kty: 'oct', k: Symbol() })), 'TypeError')
fact('export raw', hex(await subtle.exportKey('raw', k)), '6120736563726574')
fact(
  'export jwk',
  await subtle.exportKey('jwk', k).then((j) => [j.kty, j.k, j.alg, j.ext, [...j.key_ops]]),
  ['oct', 'YSBzZWNyZXQ', 'HS256', true, ['sign', 'verify']],
)
fact(
  'export jwk of SHA-1',
  await subtle.exportKey('jwk', globalThis['kSHA-1']).then((j) => j.alg),
  'HS1',
)
fact(
  'export spki',
  await gives(() => subtle.exportKey('spki', k)),
  'DOMException NotSupportedError',
)
fact(
  'export pkcs8',
  await gives(() => subtle.exportKey('pkcs8', k)),
  'DOMException NotSupportedError',
)
fact('export of another format', await gives(() => subtle.exportKey('text', k)), 'TypeError')
fact(
  'export of what is not extractable',
  await gives(async () =>
    subtle.exportKey(
      'raw',
      await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
    ),
  ),
  'DOMException InvalidAccessError',
)
fact('export of no key', await gives(() => subtle.exportKey('raw', {})), 'TypeError')
fact(
  'extractable is truth',
  (await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, 'yes', ['sign']))
    .extractable,
  true,
)
// Keys that are derived.
const base = (name, usages = ['deriveBits', 'deriveKey']) =>
  subtle.importKey('raw', secret, name, false, usages)
const pb = await base('PBKDF2')
const hk = await base('HKDF')
const salt = utf8.encode('salt')
const pbk = (more) => ({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 10, ...more })
const hkk = (more) => ({ name: 'HKDF', hash: 'SHA-256', salt, info: utf8.encode('info'), ...more })
fact('PBKDF2 key', describe(pb), ['secret', false, '{"name":"PBKDF2"}', 'deriveKey,deriveBits'])
fact(
  'PBKDF2 extractable',
  await gives(() => subtle.importKey('raw', secret, 'PBKDF2', true, ['deriveBits'])),
  'DOMException SyntaxError',
)
fact('PBKDF2 usages', await gives(() => base('PBKDF2', ['sign'])), 'DOMException SyntaxError')
fact(
  'PBKDF2 jwk',
  await gives(() =>
    subtle.importKey('jwk', { kty: 'oct', k: 'AA' }, 'PBKDF2', false, ['deriveBits']),
  ),
  'DOMException NotSupportedError',
)
fact(
  'PBKDF2 SHA-1',
  hex(await subtle.deriveBits(pbk({ hash: 'SHA-1', iterations: 2 }), pb, 160)),
  '26a1d1b323ab9bbe9cef41e94a4b5c177445352b',
)
fact(
  'PBKDF2 SHA-256',
  hex(await subtle.deriveBits(pbk(), pb, 256)),
  'eb1e19d6d48d9b91cb4f078d0b9b6d69e9a2b578652826f21a07182049518d89',
)
fact(
  'PBKDF2 SHA-384',
  hex(await subtle.deriveBits(pbk({ hash: 'SHA-384' }), pb, 384)),
  'afbef23ea7a78655d8b85548b92afd0f2917b6d6365a725d66d6fff32db9f55e605ffa49199a3b453f405e29677dedcf',
)
fact(
  'PBKDF2 SHA-512, two blocks',
  hex(await subtle.deriveBits(pbk({ hash: 'SHA-512' }), pb, 800)),
  'be4dd85ffb67d08d840566e7e066736853493f4500763e858cac7ee4bbeaddc92a23d2aafc045812ede1c691caad19f15949837a0d773bfc21da08a4238df1ca15a82afaaf0c8489313b97ebe0bec8add695aef2065e03425719d8984bb204fedbe7700f',
)
fact(
  'PBKDF2 of one round',
  hex(await subtle.deriveBits(pbk({ iterations: 1 }), pb, 256)),
  '56555208b0542c457dc17b507f7e7253a282b953f90d7f9dd4b1846ce120d6bb',
)
fact(
  'PBKDF2 no rounds',
  await gives(() => subtle.deriveBits(pbk({ iterations: 0 }), pb, 256)),
  'DOMException OperationError',
)
fact(
  'PBKDF2 length null',
  await gives(() => subtle.deriveBits(pbk(), pb, null)),
  'DOMException OperationError',
)
fact('PBKDF2 length 0', await gives(async () => hex(await subtle.deriveBits(pbk(), pb, 0))), '')
fact(
  'PBKDF2 length 12',
  await gives(async () => hex(await subtle.deriveBits(pbk(), pb, 12))),
  'DOMException OperationError',
)
fact(
  'PBKDF2 no salt',
  await gives(() => subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', iterations: 1 }, pb, 256)),
  'TypeError',
)
fact(
  'PBKDF2 empty salt',
  hex(await subtle.deriveBits(pbk({ salt: new Uint8Array() }), pb, 128)),
  '436cfc7542312be9b9f46227bb29553c',
)
fact(
  'HKDF SHA-256',
  hex(await subtle.deriveBits(hkk(), hk, 256)),
  '8241aab6ec56028e6bb8c6005d156f73fe47f219ba19640a26a601fd457fbd80',
)
fact(
  'HKDF SHA-512, three blocks',
  hex(await subtle.deriveBits(hkk({ hash: 'SHA-512' }), hk, 1200)),
  'fc0ae20b03778c3f26123617a8bcd293398ecc6740dd785fdf5bc1eb09e99011711c5b946090beb45b9f24b6b6f7a27053f437a8add268f3932a865dadd205556dbfe8fe7ba080870f1b931fbcd636e512c6c664f93b290d021b0d4c8b5578a84dc5c673640858e8b5ebcdb6905fe213b7304668f87b60d15c91577c92111f1fcd1d7b5fcb49c8a12762a8fe421a4732444eee0360fe',
)
fact(
  'HKDF empty salt',
  hex(await subtle.deriveBits(hkk({ salt: new Uint8Array() }), hk, 128)),
  '04d735a0f4e77660835d41dc44ddc2ed',
)
fact(
  'HKDF RFC 5869 case 1',
  hex(
    await subtle.deriveBits(
      {
        name: 'HKDF',
        hash: 'SHA-256',
        salt: unhex('000102030405060708090a0b0c'),
        info: unhex('f0f1f2f3f4f5f6f7f8f9'),
      },
      await subtle.importKey('raw', new Uint8Array(22).fill(11), 'HKDF', false, ['deriveBits']),
      336,
    ),
  ),
  '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
)
fact('HKDF at most', (await subtle.deriveBits(hkk(), hk, 255 * 256)).byteLength, 8160)
fact(
  'HKDF too long',
  await gives(() => subtle.deriveBits(hkk(), hk, 256 * 256)),
  'DOMException OperationError',
)
fact(
  'HKDF no info',
  await gives(() => subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt }, hk, 256)),
  'TypeError',
)
fact(
  'deriveBits with another key',
  await gives(() => subtle.deriveBits(hkk(), pb, 256)),
  'DOMException InvalidAccessError',
)
fact(
  'deriveBits without the usage',
  await gives(async () => subtle.deriveBits(hkk(), await base('HKDF', ['deriveKey']), 256)),
  'DOMException InvalidAccessError',
)
fact(
  'deriveKey AES',
  describe(await subtle.deriveKey(hkk(), hk, { name: 'AES-GCM', length: 256 }, true, ['encrypt'])),
  ['secret', true, '{"name":"AES-GCM","length":256}', 'encrypt'],
)
fact(
  'deriveKey AES bytes',
  hex(
    await subtle.exportKey(
      'raw',
      await subtle.deriveKey(hkk(), hk, { name: 'AES-GCM', length: 128 }, true, ['encrypt']),
    ),
  ),
  '8241aab6ec56028e6bb8c6005d156f73',
)
fact(
  'deriveKey HMAC',
  describe(await subtle.deriveKey(pbk(), pb, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign'])),
  ['secret', true, '{"name":"HMAC","length":512,"hash":{"name":"SHA-256"}}', 'sign'],
)
fact(
  'deriveKey HMAC bytes',
  hex(
    await subtle.exportKey(
      'raw',
      await subtle.deriveKey(pbk(), pb, { name: 'HMAC', hash: 'SHA-1', length: 160 }, true, [
        'sign',
      ]),
    ),
  ),
  'eb1e19d6d48d9b91cb4f078d0b9b6d69e9a2b578',
)
fact(
  'deriveKey without usages',
  await gives(() => subtle.deriveKey(hkk(), hk, { name: 'AES-GCM', length: 256 }, true, [])),
  'DOMException SyntaxError',
)
fact(
  'deriveKey of a wrong length',
  await gives(() =>
    subtle.deriveKey(hkk(), hk, { name: 'AES-GCM', length: 100 }, true, ['encrypt']),
  ),
  'DOMException OperationError',
)
// AES-GCM.
const aesKey = (raw, usages = ['encrypt', 'decrypt']) =>
  subtle.importKey('raw', raw, 'AES-GCM', true, usages)
const iv = new Uint8Array(12).map((_, i) => i)
const gcm = (more) => ({ name: 'AES-GCM', iv, ...more })
const a128 = await aesKey(new Uint8Array(16).fill(1))
const a192 = await aesKey(new Uint8Array(24).fill(2))
const a256 = await aesKey(new Uint8Array(32).fill(3))
fact('AES key', describe(a256), [
  'secret',
  true,
  '{"name":"AES-GCM","length":256}',
  'encrypt,decrypt',
])
fact('AES of 15 bytes', await gives(() => aesKey(new Uint8Array(15))), 'DOMException DataError')
fact('AES empty', await gives(() => aesKey(new Uint8Array())), 'DOMException DataError')
fact(
  'AES usages',
  await gives(() => aesKey(new Uint8Array(16), ['sign'])),
  'DOMException SyntaxError',
)
fact('AES wrapping usages', describe(await aesKey(new Uint8Array(16), ['wrapKey'])), [
  'secret',
  true,
  '{"name":"AES-GCM","length":128}',
  'wrapKey',
])
fact(
  'AES-128',
  hex(await subtle.encrypt(gcm(), a128, data)),
  '6c32a89e1b865f7d1ffb0f062a1c4a24fe3d818a51e62df3deac6f',
)
fact(
  'AES-192',
  hex(await subtle.encrypt(gcm(), a192, data)),
  'a8e422ab154509f5502a4f506c5faea1d188d633d0779440eae62d',
)
fact(
  'AES-256',
  hex(await subtle.encrypt(gcm(), a256, data)),
  '33d9136ca2852e7d50a2034738fdd1ca36211a14de8ffdaef8df70',
)
fact(
  'AES of nothing',
  hex(await subtle.encrypt(gcm(), a256, new Uint8Array())),
  '15dbad9b31539c5857c957649166288d',
)
fact(
  'AES of 1,000 bytes',
  hex(await subtle.digest('SHA-256', await subtle.encrypt(gcm(), a256, new Uint8Array(1000)))),
  '705d1fe4129c919376a6e61658e99dd8d41f17eae81dc45a028c8fe865634e87',
)
fact(
  'AES with data',
  hex(await subtle.encrypt(gcm({ additionalData: data }), a128, data)),
  '6c32a89e1b865f7d1ffb0f9c934dce286d01802df31a357bff30fa',
)
fact(
  'AES test case 4',
  hex(
    await subtle.encrypt(
      {
        name: 'AES-GCM',
        iv: unhex('cafebabefacedbaddecaf888'),
        additionalData: unhex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
      },
      await aesKey(unhex('feffe9928665731c6d6a8f9467308308')),
      unhex(
        'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
      ),
    ),
  ),
  '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47',
)
const sealed = await subtle.encrypt(gcm({ additionalData: secret }), a256, data)
fact(
  'decrypt',
  hex(await subtle.decrypt(gcm({ additionalData: secret }), a256, sealed)),
  '746865206d657373616765',
)
fact(
  'decrypt without the data',
  await gives(() => subtle.decrypt(gcm(), a256, sealed)),
  'DOMException OperationError',
)
fact(
  'decrypt with another iv',
  await gives(() =>
    subtle.decrypt(gcm({ iv: new Uint8Array(12), additionalData: secret }), a256, sealed),
  ),
  'DOMException OperationError',
)
fact(
  'decrypt with another key',
  await gives(() => subtle.decrypt(gcm({ additionalData: secret }), a128, sealed)),
  'DOMException OperationError',
)
fact(
  'decrypt truncated',
  await gives(() => subtle.decrypt(gcm({ additionalData: secret }), a256, sealed.slice(0, -1))),
  'DOMException OperationError',
)
fact(
  'decrypt too short',
  await gives(() => subtle.decrypt(gcm(), a256, new Uint8Array(15))),
  'DOMException OperationError',
)
fact(
  'decrypt empty',
  await gives(() => subtle.decrypt(gcm(), a256, new Uint8Array())),
  'DOMException OperationError',
)
fact(
  'tag 128',
  hex(await subtle.encrypt(gcm({ tagLength: 128 }), a128, data)),
  '6c32a89e1b865f7d1ffb0f062a1c4a24fe3d818a51e62df3deac6f',
)
fact(
  'tag 97',
  await gives(() => subtle.encrypt(gcm({ tagLength: 97 }), a128, data)),
  'DOMException OperationError',
)
fact('tag -1', await gives(() => subtle.encrypt(gcm({ tagLength: -1 }), a128, data)), 'TypeError')
fact(
  'tag 96',
  await gives(async () => hex(await subtle.encrypt(gcm({ tagLength: 96 }), a128, data))),
  '6c32a89e1b865f7d1ffb0f062a1c4a24fe3d818a51e62d',
  { engine: 'DOMException NotSupportedError' },
)
fact('no iv', await gives(() => subtle.encrypt({ name: 'AES-GCM' }, a128, data)), 'TypeError')
fact('iv is text', await gives(() => subtle.encrypt(gcm({ iv: 'text' }), a128, data)), 'TypeError')
fact(
  'iv of 16 bytes',
  await gives(async () => hex(await subtle.encrypt(gcm({ iv: new Uint8Array(16) }), a128, data))),
  'a53de709e6ca9fbb36eb4cfda26199b5ca04525e197bf79a3d1718',
  { engine: 'DOMException NotSupportedError' },
)
fact(
  'iv empty',
  await gives(() => subtle.encrypt(gcm({ iv: new Uint8Array() }), a128, data)),
  'DOMException OperationError',
)
fact(
  'encrypt without the usage',
  await gives(async () =>
    subtle.encrypt(gcm(), await aesKey(new Uint8Array(16), ['decrypt']), data),
  ),
  'DOMException InvalidAccessError',
)
fact(
  'encrypt by a key of HMAC',
  await gives(() => subtle.encrypt(gcm(), k, data)),
  'DOMException InvalidAccessError',
)
fact(
  'encrypt by RSA-OAEP',
  await gives(() => subtle.encrypt({ name: 'RSA-OAEP' }, k, data)),
  'DOMException InvalidAccessError',
  { engine: 'DOMException NotSupportedError' },
)
fact(
  'encrypt by AES-XYZ',
  await gives(() => subtle.encrypt({ name: 'AES-XYZ', iv }, a128, data)),
  'DOMException NotSupportedError',
)
fact(
  'AES jwk',
  describe(
    await subtle.importKey(
      'jwk',
      { kty: 'oct', k: 'AQEBAQEBAQEBAQEBAQEBAQ', alg: 'A128GCM' },
      'AES-GCM',
      true,
      ['encrypt'],
    ),
  ),
  ['secret', true, '{"name":"AES-GCM","length":128}', 'encrypt'],
)
fact(
  'AES jwk of another length',
  await gives(() =>
    subtle.importKey(
      'jwk',
      { kty: 'oct', k: 'AQEBAQEBAQEBAQEBAQEBAQ', alg: 'A256GCM' },
      'AES-GCM',
      true,
      ['encrypt'],
    ),
  ),
  'DOMException DataError',
)
fact(
  'AES jwk use sig',
  await gives(() =>
    subtle.importKey(
      'jwk',
      { kty: 'oct', k: 'AQEBAQEBAQEBAQEBAQEBAQ', use: 'sig' },
      'AES-GCM',
      true,
      ['encrypt'],
    ),
  ),
  'DOMException DataError',
)
fact(
  'AES export jwk',
  await subtle.exportKey('jwk', a192).then((j) => [j.kty, j.k, j.alg, j.ext, [...j.key_ops]]),
  ['oct', 'AgICAgICAgICAgICAgICAgICAgICAgIC', 'A192GCM', true, ['encrypt', 'decrypt']],
)
