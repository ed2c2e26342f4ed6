/** What modules of Node answer: run by Node and by a component with `node_compat`, the answers must be the same. */
import assert, { AssertionError } from 'node:assert'
import { Buffer } from 'node:buffer'
import * as crypto from 'node:crypto'
import { EventEmitter, on, once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import querystring from 'node:querystring'
import { pipeline, Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import url from 'node:url'
import util from 'node:util'

const circular: Record<string, unknown> = { a: 1 }
circular['self'] = circular
const caught = (work: () => unknown): string => {
  try {
    work()
    return 'nothing'
  } catch (error) {
    const { name, code } = error as Error & { code?: string }
    return `${name} ${code ?? ''}`
  }
}
const pairs: [unknown, unknown][] = [
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
  [{ a: 1 }, { a: '1' }],
  [new Map([[{ k: 1 }, new Set([1, 2])]]), new Map([[{ k: 1 }, new Set([2, 1])]])],
  [new Date(5), new Date(5)],
  [/a/g, /a/i],
  [
    [1, , 3],
    [1, undefined, 3],
  ],
  [NaN, NaN],
  [0, -0],
  [circular, circular],
  [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  [new Error('a'), new Error('b')],
  [Object.create(null), {}],
  [new Number(1), new Number(2)],
  [[], {}],
]

export const cases: Record<string, () => unknown> = {
  buffer: () => [
    Buffer.concat([Buffer.from('Zoë'), Buffer.from([0, 255])]).toString('hex'),
    ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'utf16le', 'ascii'].map((encoding) =>
      Buffer.from([251, 255, 65, 200]).toString(encoding as BufferEncoding),
    ),
    [...Buffer.from('-_-_', 'base64url'), ...Buffer.from('+/+/', 'base64')],
    Buffer.byteLength('-_-_', 'base64url'),
    Buffer.isEncoding('base64url'),
    Buffer.alloc(6).fill('ab').readUInt32BE(1),
    Buffer.from('abc').equals(Buffer.from('abc')),
    Buffer.from('abcdef').subarray(2, 4).toString(),
    JSON.stringify(Buffer.from('a')),
    Buffer.from('héllo').indexOf('l'),
    Buffer.alloc(4).write('-_-_', 'base64url'),
    Buffer.compare(Buffer.from('a'), Buffer.from('b')),
  ],
  hashes: () =>
    ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-256', 'RSA-SHA256'].map(
      (name) => [
        crypto.createHash(name).update('Zo').update(Buffer.from('ë')).digest('hex'),
        crypto.createHmac(name, 'key').update('text', 'latin1').digest('base64'),
      ],
    ),
  'a hash that is copied, and one that ends': () => {
    const hash = crypto.createHash('sha256').update('a')
    const copy = hash.copy().update('b').digest('hex')
    return [hash.digest('hex'), copy, caught(() => hash.update('c')).split(' ')[0]]
  },
  'one hash': () => [crypto.hash('sha1', 'a'), crypto.hash('md5', Buffer.from('a'), 'base64')],
  keys: async () => [
    crypto.pbkdf2Sync('secret', 'salt', 3, 20, 'sha512').toString('hex'),
    await util.promisify(crypto.pbkdf2)('secret', 'salt', 1000, 32, 'sha256'),
    Buffer.from(crypto.hkdfSync('sha256', 'key', 'salt', 'info', 20)).toString('hex'),
    crypto.createSecretKey(Buffer.from('abc')).export({ format: 'jwk' }),
  ],
  'random numbers': () => {
    const numbers = Array.from({ length: 200 }, () => crypto.randomInt(3, 6))
    return [
      crypto.randomBytes(70_000).length,
      crypto.randomUUID().length,
      numbers.every((number) => [3, 4, 5].includes(number)),
      new Set(numbers).size,
      caught(() => crypto.randomInt(5, 5)).split(' ')[0],
      crypto.randomFillSync(new Uint8Array(4)).length,
    ]
  },
  timingSafeEqual: () => [
    crypto.timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')),
    crypto.timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')),
    caught(() => crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab'))).split(' ')[0],
  ],
  'an unknown hash': () => caught(() => crypto.createHash('nothing')).split(' ')[0],
  path: () => [
    path.join('/a/b', '../c', './d.txt'),
    path.resolve('/a', 'b', '..', 'c'),
    path.relative('/a/b/c', '/a/d'),
    path.parse('/home/x/file.tar.gz'),
    path.normalize('a//b/../c\\d'),
    path.basename('/x/y.html', '.html'),
    path.isAbsolute('a/b'),
    path.posix.sep,
  ],
  format: () => [
    util.format('%s is %d years and %i, %f, %j, 100%%', 'Ann', '41', 4.9, '1.5', { a: 1 }),
    util.format('%s %s', 1n, -0),
    util.format('no mark', 'more', 5),
    util.format('%s'),
    util.format(1, 'two'),
  ],
  inspect: () =>
    [1, 'a', null, undefined, true, 5n, [1, 'b'], { a: { b: [2] } }, Symbol('s'), /x/g].map(
      (value) => util.inspect(value),
    ),
  'deep equality': () => pairs.map(([a, b]) => util.isDeepStrictEqual(a, b)),
  types: () =>
    [
      new Map(),
      new Date(),
      /a/,
      Promise.resolve(),
      new Uint8Array(1),
      new Error('x'),
      async () => {},
    ].map((value) => [
      util.types.isMap(value),
      util.types.isDate(value),
      util.types.isRegExp(value),
      util.types.isPromise(value),
      util.types.isTypedArray(value),
      util.types.isUint8Array(value),
      util.types.isNativeError(value),
      util.types.isAsyncFunction(value),
    ]),
  promisify: async () => {
    const work = (value: number, done: (error: Error | null, value?: number) => void) =>
      done(value < 0 ? new Error('negative') : null, value * 2)
    const promised = util.promisify(work)
    return [await promised(4), await promised(-1).catch(({ message }: Error) => message)]
  },
  'classes of old libraries': () => {
    const Old = function (this: EventEmitter) {
      Reflect.apply(EventEmitter, this, [])
    } as unknown as { new (): EventEmitter; prototype: object }
    util.inherits(Old, EventEmitter)
    const old = new Old()
    const seen: unknown[] = []
    old.on('x', (value) => seen.push(value))
    old.emit('x', 1)
    return [seen, old instanceof EventEmitter, caught(() => old.emit('error', new TypeError('t')))]
  },
  events: async () => {
    const emitter = new EventEmitter()
    const seen: unknown[] = []
    emitter.once('a', (value) => seen.push(value))
    emitter.prependListener('a', () => seen.push('first'))
    emitter.emit('a', 1)
    emitter.emit('a', 2)
    setTimeout(() => emitter.emit('b', 5, 6))
    seen.push(await once(emitter, 'b'))
    setTimeout(() => ['p', 'q'].forEach((value) => emitter.emit('c', value)))
    for await (const [value] of on(emitter, 'c') as AsyncIterable<unknown[]>) {
      seen.push(value)
      if (value === 'q') break
    }
    return [
      seen,
      emitter.listenerCount('a'),
      emitter.listenerCount('c'),
      emitter.eventNames().length,
    ]
  },
  stream: async () => {
    const upper = new Transform({
      transform(piece: Buffer, _encoding, done) {
        done(null, piece.toString().toUpperCase())
      },
    })
    const pieces: string[] = []
    upper.on('data', (piece: Buffer) => pieces.push(piece.toString()))
    await new Promise<void>((resolve, reject) => {
      pipeline(Readable.from(['a', 'b']), upper, (error) => (error ? reject(error) : resolve()))
    })
    const objects: unknown[] = []
    for await (const each of Readable.from([{ a: 1 }, { a: 2 }])) objects.push(each)
    const broken = new Readable({ read() {} })
    broken.destroy(new RangeError('broken'))
    const failure = await finished(broken).catch(({ name }: Error) => name)
    return [pieces.join(''), objects, failure]
  },
  assert: () => [
    caught(() => assert(0)),
    caught(() => assert.deepEqual({ a: 1 }, { a: '1' })),
    caught(() => assert.deepStrictEqual({ a: 1 }, { a: '1' })),
    caught(() => assert.strictEqual(NaN, NaN)),
    caught(() => assert.throws(() => {})),
    caught(() =>
      assert.throws(() => {
        throw new TypeError('bad thing')
      }, /bad/),
    ),
    caught(() =>
      assert.throws(
        () => {
          throw new TypeError('bad thing')
        },
        { name: 'TypeError', message: /other/ },
      ),
    ),
    caught(() => assert.fail('no')),
    new AssertionError({ message: 'm', actual: 1, expected: 2 }).message,
  ],
  url: () => [
    url.parse('https://user:pw@example.com:81/a/b?c=d#e').host,
    url.parse('/a?b=c', true).query,
    url.resolve('http://a.com/b/c', '../d'),
    url.fileURLToPath('file:///a/b%20c'),
    url.format({ protocol: 'http', host: 'a.com', pathname: '/x', query: { y: 'z' } }),
  ],
  querystring: () => [
    querystring.parse('a=1&b=x%20y&b=z&c'),
    querystring.stringify({ a: [1, 2], b: 'ü &' }),
  ],
  'string decoder': () => {
    const decoder = new StringDecoder('utf8')
    return [
      decoder.write(Buffer.from([0xe2, 0x82])),
      decoder.write(Buffer.from([0xac])),
      decoder.end(),
    ]
  },
  process: async () => {
    const order: string[] = []
    process.nextTick((value: string) => order.push(value), 'tick')
    order.push('now')
    await wait(1)
    return [
      order,
      typeof process.env,
      typeof process.hrtime.bigint(),
      process.argv.length >= 0,
      os.EOL,
    ]
  },
}
