const clone = (v, o) => structuredClone(v, o)
const refused = (v, o) => thrown(() => structuredClone(v, o))
for (const v of [1, -0, NaN, 'a', '', true, false, null, undefined, 10n])
  fact(`primitive ${typeof v} ${String(v)}`, clone(v), v)
fact('symbol', refused(Symbol('a')), 'DOMException DataCloneError')
fact(
  'function',
  refused(() => {}),
  'DOMException DataCloneError',
)
fact('a function within', refused({ a: [() => {}] }), 'DOMException DataCloneError')
fact('a symbol within', refused([Symbol()]), 'DOMException DataCloneError')
for (const v of [
  new WeakMap(),
  new WeakSet(),
  new WeakRef({}),
  Promise.resolve(),
  (function* () {})(),
  new Proxy({}, {}),
  new Proxy([], {}),
]) {
  fact(`refused: ${Object.prototype.toString.call(v)}`, refused(v), 'DOMException DataCloneError')
}
fact(
  'code',
  (() => {
    try {
      clone(Symbol())
    } catch (e) {
      return e.code
    }
  })(),
  25,
)
const o = { a: 1, b: { c: [1, 2, { d: 3 }] } }
fact('object', clone(o), o)
fact('is a copy', [clone(o) !== o, clone(o).b !== o.b, clone(o).b.c !== o.b.c], [true, true, true])
fact(
  'cycle',
  (() => {
    const a = {}
    a.self = a
    a.list = [a]
    const b = clone(a)
    return [b.self === b, b.list[0] === b, b !== a]
  })(),
  [true, true, true],
)
fact(
  'shared parts stay shared',
  (() => {
    const p = {}
    const b = clone({ x: p, y: p })
    return b.x === b.y
  })(),
  true,
)
fact(
  'class becomes plain',
  (() => {
    class A {
      x = 1
      get y() {
        return 2
      }
    }
    const b = clone(new A())
    return [Object.getPrototypeOf(b) === Object.prototype, Object.keys(b)]
  })(),
  [true, ['x']],
)
fact(
  'null prototype becomes plain',
  Object.getPrototypeOf(clone(Object.create(null))) === Object.prototype,
  true,
)
fact('inherited properties are left out', Object.keys(clone(Object.create({ a: 1 }))), [])
fact('symbol keys are left out', Reflect.ownKeys(clone({ [Symbol('a')]: 1, b: 2 })), ['b'])
fact(
  'not enumerable is left out',
  Object.keys(clone(Object.defineProperty({}, 'x', { value: 1 }))),
  [],
)
fact(
  'getters are read once',
  (() => {
    let n = 0
    const b = clone({
      get x() {
        return ++n
      },
    })
    return [b.x, b.x, n, Object.getOwnPropertyDescriptor(b, 'x').writable]
  })(),
  [1, 1, 1, true],
)
fact(
  'a getter that throws',
  thrown(() =>
    clone({
      get x() {
        throw new RangeError('r')
      },
    }),
  ),
  'RangeError',
)
fact(
  'a getter that removes the next',
  Object.keys(
    clone({
      get a() {
        delete this.b
        return 1
      },
      b: 2,
      c: 3,
    }),
  ),
  ['a', 'c'],
)
fact(
  'a getter that adds',
  Object.keys(
    clone({
      get a() {
        this.z = 1
        return 1
      },
    }),
  ),
  ['a'],
)
fact(
  '__proto__ as a name',
  (() => {
    const b = clone(JSON.parse('{"__proto__": {"x": 1}}'))
    return [Object.hasOwn(b, '__proto__'), b.x, Object.getPrototypeOf(b) === Object.prototype]
  })(),
  [true, undefined, true],
)
fact(
  'a frozen object thaws',
  (() => {
    const b = clone(Object.freeze({ a: 1 }))
    return [Object.isFrozen(b), Object.getOwnPropertyDescriptor(b, 'a').configurable]
  })(),
  [false, true],
)
fact('array', clone([1, 'a', null, undefined]), [1, 'a', null, undefined])
fact(
  'sparse array',
  (() => {
    const a = [1, , 3]
    a.length = 6
    const b = clone(a)
    return [b.length, 1 in b, 5 in b, b[2]]
  })(),
  [6, false, false, 3],
)
fact(
  'huge sparse array',
  (() => {
    const a = []
    a[4294967294] = 'x'
    const b = clone(a)
    return [b.length, b[4294967294], Object.keys(b).length]
  })(),
  [4294967295, 'x', 1],
)
fact(
  'array with names',
  (() => {
    const a = [1]
    a.name = 'n'
    const b = clone(a)
    return [b.name, Array.isArray(b), b.length]
  })(),
  ['n', true, 1],
)
fact(
  'subclass of Array',
  Object.getPrototypeOf(clone(new (class A extends Array {})())) === Array.prototype,
  true,
)
fact(
  'arguments',
  attempt(() =>
    (function () {
      const b = clone(arguments)
      return [Array.isArray(b), b[0], Object.keys(b)]
    })(7),
  ),
  [false, 7, ['0']],
  { node: 'DOMException DataCloneError' },
)
fact(
  'Date',
  [
    clone(new Date(5)).getTime(),
    clone(new Date(5)) instanceof Date,
    clone(new Date(NaN)).getTime(),
  ],
  [5, true, NaN],
)
fact(
  'RegExp',
  (() => {
    const r = /a.b/giu
    r.lastIndex = 3
    const b = clone(r)
    return [String(b), b.lastIndex, b instanceof RegExp]
  })(),
  ['/a.b/giu', 0, true],
)
fact('RegExp flags dsvy', [String(clone(/a/dsy)), String(clone(/a/v))], ['/a/dsy', '/a/v'])
fact(
  'boxed',
  [
    clone(Object(1)) instanceof Number,
    +clone(Object(1)),
    clone(Object('a')) instanceof String,
    `${clone(Object('a'))}`,
    clone(Object(true)) instanceof Boolean,
    typeof clone(Object(1n)),
    clone(Object(1n)).valueOf(),
  ],
  [true, 1, true, 'a', true, 'object', 1n],
)
fact('boxed symbol', refused(Object(Symbol())), 'DOMException DataCloneError')
fact('boxed false', clone(Object(false)).valueOf(), false)
fact(
  'Map',
  (() => {
    const b = clone(
      new Map([
        [1, { a: 1 }],
        ['k', [2]],
      ]),
    )
    return [b instanceof Map, b.size, b.get(1).a, b.get('k')[0], [...b.keys()]]
  })(),
  [true, 2, 1, 2, [1, 'k']],
)
fact(
  'Set',
  (() => {
    const b = clone(new Set([1, 'a', { x: 1 }]))
    return [b instanceof Set, b.size, [...b][2].x]
  })(),
  [true, 3, 1],
)
fact(
  'Map in itself',
  (() => {
    const m = new Map()
    m.set(m, m)
    const b = clone(m)
    return [b.get(b) === b, b !== m]
  })(),
  [true, true],
)
fact(
  'Set in itself',
  (() => {
    const m = new Set()
    m.add(m)
    const b = clone(m)
    return [b.has(b), b.has(m)]
  })(),
  [true, false],
)
fact(
  'keys of a Map are copied',
  (() => {
    const k = {}
    const b = clone([k, new Map([[k, 1]])])
    return b[1].get(b[0])
  })(),
  1,
)
fact('a function in a Map', refused(new Map([[1, () => {}]])), 'DOMException DataCloneError')
fact(
  'names on a Map are left out',
  (() => {
    const m = new Map()
    m.x = 1
    return clone(m).x
  })(),
  undefined,
)
fact(
  'subclass of Map',
  Object.getPrototypeOf(clone(new (class A extends Map {})())) === Map.prototype,
  true,
)
fact(
  'a Map changed by a getter',
  (() => {
    const m = new Map()
    m.set('a', {
      get x() {
        m.set('b', 1)
        return 1
      },
    })
    return clone(m).size
  })(),
  1,
)
for (const [E, name] of [
  [Error, 'Error'],
  [TypeError, 'TypeError'],
  [RangeError, 'RangeError'],
  [SyntaxError, 'SyntaxError'],
  [EvalError, 'EvalError'],
  [ReferenceError, 'ReferenceError'],
  [URIError, 'URIError'],
]) {
  fact(
    name,
    (() => {
      const b = clone(new E('m'))
      return [b instanceof E, b.name, b.message, Object.keys(b)]
    })(),
    [true, name, 'm', []],
  )
}
fact(
  'name of an error',
  (() => {
    const e = new Error('m')
    e.name = 'TypeError'
    return clone(e) instanceof TypeError
  })(),
  true,
)
fact(
  'unknown name',
  (() => {
    const e = new Error('m')
    e.name = 'Mine'
    const b = clone(e)
    return [b.name, Object.getPrototypeOf(b) === Error.prototype]
  })(),
  ['Error', true],
)
fact(
  'class of an error',
  (() => {
    class A extends TypeError {}
    return Object.getPrototypeOf(clone(new A('x'))) === TypeError.prototype
  })(),
  true,
)
fact('error without message', Object.hasOwn(clone(new Error()), 'message'), false)
fact(
  'further properties of an error',
  (() => {
    const e = new Error('m')
    e.code = 'X'
    return clone(e).code
  })(),
  undefined,
)
fact(
  'cause',
  (() => {
    const b = clone(new Error('m', { cause: new TypeError('c') }))
    return [b.cause instanceof TypeError, b.cause.message, Object.keys(b)]
  })(),
  [true, 'c', []],
)
fact(
  'cause in a circle',
  (() => {
    const e = new Error('m')
    e.cause = e
    const b = clone(e)
    return b.cause === b
  })(),
  true,
)
fact(
  'stack',
  (() => {
    const e = new Error('m')
    e.stack = 'here'
    return clone(e).stack
  })(),
  'here',
)
fact(
  'DOMException',
  (() => {
    const b = clone(new DOMException('m', 'AbortError'))
    return [b instanceof DOMException, b.name, b.code, b.message]
  })(),
  [true, 'AbortError', 20, 'm'],
)
fact(
  'AggregateError',
  (() => {
    const b = clone(new AggregateError([1], 'm'))
    return [b.name, b.message, b.errors]
  })(),
  ['Error', 'm', undefined],
)
fact(
  'ArrayBuffer',
  (() => {
    const b = new Uint8Array([1, 2]).buffer
    const c = clone(b)
    new Uint8Array(b)[0] = 9
    return [c.byteLength, new Uint8Array(c)[0]]
  })(),
  [2, 1],
)
fact(
  'resizable ArrayBuffer',
  (() => {
    const c = clone(new ArrayBuffer(2, { maxByteLength: 8 }))
    return [c.resizable, c.byteLength, c.maxByteLength]
  })(),
  [true, 2, 8],
)
for (const T of [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
]) {
  fact(
    T.name,
    (() => {
      const c = clone(new T([1, 2, 3]))
      return [c.constructor === T, [...c]]
    })(),
    [true, [1, 2, 3]],
  )
}
fact('BigInt64Array', clone(new BigInt64Array([1n]))[0], 1n)
fact('Float16Array', clone(new Float16Array([1.5]))[0], 1.5)
fact(
  'a view of a part',
  (() => {
    const c = clone(new Uint8Array(new ArrayBuffer(8), 2, 3))
    return [c.byteOffset, c.length, c.buffer.byteLength]
  })(),
  [2, 3, 8],
)
fact(
  'two views of a buffer',
  (() => {
    const b = new ArrayBuffer(4)
    const c = clone([new Uint8Array(b), new DataView(b, 1)])
    return [c[0].buffer === c[1].buffer, c[1] instanceof DataView, c[1].byteOffset, c[1].byteLength]
  })(),
  [true, true, 1, 3],
)
fact(
  'a view that follows its buffer',
  (() => {
    const c = clone(new Uint8Array(new ArrayBuffer(2, { maxByteLength: 8 })))
    c.buffer.resize(6)
    return c.length
  })(),
  6,
)
fact(
  'a fixed view',
  (() => {
    const c = clone(new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }), 0, 2))
    c.buffer.resize(6)
    return c.length
  })(),
  2,
)
fact(
  'detached buffer',
  (() => {
    const b = new ArrayBuffer(2)
    b.transfer()
    return refused(b)
  })(),
  'DOMException DataCloneError',
)
fact(
  'view of a detached buffer',
  (() => {
    const v = new Uint8Array(2)
    v.buffer.transfer()
    return refused(v)
  })(),
  'DOMException DataCloneError',
)
fact(
  'DataView of a detached buffer',
  (() => {
    const v = new DataView(new ArrayBuffer(2))
    v.buffer.transfer()
    return refused(v)
  })(),
  'DOMException DataCloneError',
)
fact(
  'view out of bounds',
  (() => {
    const b = new ArrayBuffer(8, { maxByteLength: 8 })
    const v = new Uint8Array(b, 4, 2)
    b.resize(2)
    return refused(v)
  })(),
  'DOMException DataCloneError',
)
fact(
  'DataView out of bounds',
  (() => {
    const b = new ArrayBuffer(8, { maxByteLength: 8 })
    const v = new DataView(b, 4, 2)
    b.resize(2)
    return refused(v)
  })(),
  'DOMException DataCloneError',
)
fact(
  'transfer',
  (() => {
    const b = new Uint8Array([1, 2, 3]).buffer
    const c = clone({ b }, { transfer: [b] })
    return [b.byteLength, b.detached, c.b.byteLength, new Uint8Array(c.b)[2]]
  })(),
  [0, true, 3, 3],
)
fact(
  'transfer of what is not in the value',
  (() => {
    const b = new ArrayBuffer(3)
    clone(1, { transfer: [b] })
    return b.detached
  })(),
  true,
)
fact(
  'transfer with a view',
  (() => {
    const v = new Uint8Array([5, 6])
    const c = clone(v, { transfer: [v.buffer] })
    return [v.length, [...c]]
  })(),
  [0, [5, 6]],
)
fact(
  'transfer of a view',
  (() => {
    const v = new Uint8Array(2)
    return refused(v, { transfer: [v] })
  })(),
  'DOMException DataCloneError',
)
fact(
  'transfer twice',
  (() => {
    const b = new ArrayBuffer(2)
    return [refused(b, { transfer: [b, b] }), b.byteLength]
  })(),
  ['DOMException DataCloneError', 2],
)
fact(
  'transfer of a detached one',
  (() => {
    const b = new ArrayBuffer(2)
    b.transfer()
    return refused(1, { transfer: [b] })
  })(),
  'DOMException DataCloneError',
)
fact(
  'a failure transfers nothing',
  (() => {
    const b = new ArrayBuffer(2)
    refused([b, () => {}], { transfer: [b] })
    return b.byteLength
  })(),
  2,
)
fact(
  'transfer keeps resizable',
  (() => {
    const b = new ArrayBuffer(2, { maxByteLength: 4 })
    return clone(b, { transfer: [b] }).maxByteLength
  })(),
  4,
)
fact(
  'transfer must be a list',
  thrown(() => clone(1, { transfer: 5 })),
  'TypeError',
)
fact(
  'options must be an object',
  thrown(() => clone(1, 5)),
  'TypeError',
)
fact('options null', clone(1, null), 1)
fact('Event', refused(new Event('x')), 'DOMException DataCloneError', { node: 'nothing' })
fact('AbortController', refused(new AbortController()), 'DOMException DataCloneError', {
  node: 'nothing',
})
fact('ReadableStream', refused(new ReadableStream()), 'DOMException DataCloneError')
fact('FormData', refused(new FormData()), 'DOMException DataCloneError')
fact(
  'Blob',
  await (async () => {
    const b = clone(new Blob(['abc'], { type: 'a/b' }))
    return [b instanceof Blob, b.size, b.type, await b.text()]
  })(),
  [true, 3, 'a/b', 'abc'],
)
fact(
  'deep nesting',
  attempt(() => {
    let a = []
    for (let i = 0; i < 5000; i++) a = [a]
    let b = clone(a)
    let n = 0
    while (b.length) {
      b = b[0]
      n++
    }
    return n
  }),
  5000,
  { node: 'RangeError' },
)

fact('Headers', refused(new Headers()), 'DOMException DataCloneError')
fact('URL', refused(new URL('http://a/')), 'DOMException DataCloneError')
