const show = (name, ...values) => {
  console.log(`# ${name}`)
  console.log(...values)
}
show('primitives', 1, -0, NaN, 10n, true, null, undefined, Symbol('s'), 'text')
show('nothing')
show('text within', ['a', "it's", 'a "b"', `it's "x"`, 'new\nline', '\x00\x1b\\\t'])
show('array', [1, 2, 3])
show('empty', [], {}, new Map(), new Set(), '')
show('object', { a: 1, b: 'x', 'c-d': null, [Symbol('k')]: 1, 5: 6 })
show('nested', { a: { b: { c: { d: 1 } } } })
show('nested arrays', [[[[1]]]])
show('holes', [, 1, , , 2])
show('array with names', Object.assign([1], { x: 1 }))
show('long object', {
  alpha: 'aaaaaaaaaaaaaaaa',
  beta: 'bbbbbbbbbbbbbbbbbbb',
  gamma: 'cccccccccccccccccccc',
  delta: 1,
})
show('long in long', {
  list: [
    { name: 'aaaaaaaaaaaaaaaaaaaaaaa', value: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' },
    { name: 'c', value: 'd' },
  ],
})
show(
  'cycle',
  (() => {
    const a = { x: 1 }
    a.self = a
    return a
  })(),
)
show(
  'cycle within',
  (() => {
    const a = { x: { y: {} } }
    a.x.y.z = a.x
    return a
  })(),
)
show(
  'Map',
  new Map([
    ['a', 1],
    [{ b: 1 }, [2]],
  ]),
)
show('Set', new Set([1, 'a', [2]]))
show(
  'functions',
  () => {},
  function f() {},
  class A {},
  class B extends Array {},
  async function g() {},
  function* h() {},
  Math.max,
)
show(
  'a function with properties',
  Object.assign(function f() {}, { a: 1 }),
)
show('Date', new Date(0), new Date(NaN), [new Date(5)])
show('RegExp', /a/g, [/b/])
show('boxed', Object(1), Object('a'), Object(true), Object(1n))
show('typed arrays', new Uint8Array([1, 2]), new Float64Array(1), new Uint8Array())
show('ArrayBuffer', new Uint8Array([1, 255]).buffer)
show(
  'classes',
  new (class Foo {
    a = 1
  })(),
  new (class Empty {})(),
  Object.create(null),
  Object.assign(Object.create(null), { a: 1 }),
)
show('tag', Object.create({ [Symbol.toStringTag]: 'T', constructor: Object }))
show('accessors', {
  get a() {
    return 1
  },
  set b(v) {},
  get c() {
    return 1
  },
  set c(v) {},
})
show('symbols', Symbol(), Symbol.iterator, [Symbol('x')])
show('subclass of Map', new (class M extends Map {})([[1, 2]]), new (class L extends Array {})(3))
show(
  '100 items',
  Array.from({ length: 3 }, (_, i) => ({ i })),
)
show('%s', '%s is %s', 'a', 5, 'more', { x: 1 })
show('%s of others', '%s %s %s %s %s', null, undefined, Symbol('a'), 5n, -0)
show('%s of objects', '%s %s', { a: { b: 1 } }, [1, [2]])
show('%d', '%d %d %d %d', 5, '6', 'x', 7n)
show('%i %f', '%i %f %i', '5.9', '5.9', 'x')
show('%j', '%j', { a: [1] })
show('%o', '%O', { a: { b: { c: { d: {} } } } })
show('%c', '%cred', 'color: red')
show('%%', '100%% of %s', 'x')
show('too few', '%s and %s', 'a')
show('unknown', '%x %', 'a')
show('not first', { a: 1 }, '%s', 'b')
console.log('# levels')
console.info('info')
console.debug('debug')
console.log('# dir')
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 })
console.log('# count')
console.count()
console.count()
console.count('x')
console.countReset()
console.count()
console.log('# group')
console.group('G')
console.log('in\nside')
console.group()
console.log({ a: 1 })
console.groupEnd()
console.log('out')
console.groupEnd()
console.log('end')
console.log('# table')
console.table([
  { a: 1, b: 'x' },
  { a: 2, c: true },
])
console.table([[1, 2], [3]])
console.table(5)
console.table(['a', 'b'])
console.table([{ a: 1, b: 2 }], ['b'])
console.table(new Map([['k', 1]]))
console.log('# assert')
console.assert(true, 'no')
console.log('# error without stack')
console.log(
  (() => {
    const e = new RangeError('m')
    e.stack = ''
    return [e, { e }]
  })(),
)
console.log('# error with a stack')
console.log(
  (() => {
    const e = new TypeError('m', { cause: 5 })
    e.stack = 'TypeError: m\n    at here'
    e.code = 'X'
    return e
  })(),
)
console.log('# long text in an array')
console.log(['a'.repeat(80)])
console.log('# custom')
console.log({
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return 'mine'
  },
})
console.log('# wide')
console.log({
  a: [1, 2, 3],
  b: { c: [4, 5, 6], d: 'eeeeeeeeeeeeeeeeeeeeeeeeee' },
  f: 'gggggggggggg',
})
console.log('# proxy')
console.log(
  new Proxy(
    { a: 1 },
    {
      get() {
        throw new Error('trap')
      },
    },
  ),
)
