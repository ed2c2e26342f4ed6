// Recursion through everything that can call JavaScript. Each ends with a RangeError, and plain functions get 400 frames.
ends('plain frames', () => {
  let frames = 0
  const again = () => {
    frames += 1
    again()
  }
  try {
    again()
  } catch {
    return frames
  }
})
deep('plain function', (again) => again())
deep('plain function with locals', (again) => {
  let [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6]
  return again() + a + b + c + d + e + f
})
deep('many arguments', (again) => again(...new Array(500).fill(1)))
deep('apply with many arguments', (again) => Reflect.apply(again, null, new Array(500).fill(1)))
deep(
  'function of 1,000 locals',
  (() => {
    const names = Array.from({ length: 1000 }, (_, n) => `v${n} = ${n}`)
    return new Function('again', `let ${names.join()}; return again() + v999`)
  })(),
)
deep('call', (again) => again.call(undefined))
deep('apply', (again) => again.apply(undefined, []))
deep('Reflect.apply', (again) => Reflect.apply(again, undefined, []))
deep('Reflect.construct', (again) =>
  Reflect.construct(function () {
    again()
  }, []),
)
deep('bound function', (again) => again.bind(null)())
deep('tagged template', (again) => again``)
deep(
  'getter',
  (again) =>
    ({
      get a() {
        return again()
      },
    }).a,
)
deep('setter', (again) => {
  ;({
    set a(_) {
      again()
    },
  }).a = 1
})
deep(
  'static getter',
  (again) =>
    class {
      static get a() {
        return again()
      }
    }.a,
)
deep('toString', (again) => `${{ toString: again }}`)
deep('valueOf', (again) => +{ valueOf: again })
deep('Symbol.toPrimitive', (again) => +{ [Symbol.toPrimitive]: again })
deep('toString as a property key', (again) => ({})[{ toString: again }])
deep('compare', (again) => ({ valueOf: again }) < 1)
deep('toJSON', (again) => JSON.stringify({ toJSON: again }))
deep('JSON.stringify replacer', (again) => JSON.stringify([1], again))
deep('JSON.parse reviver', (again) => JSON.parse('[1]', again))
deep('eval', (again) => {
  globalThis.again = again
  return (0, eval)('again()')
})
deep('direct eval', (again) => eval('again()'))
deep('new Function', (again) => new Function('again', 'again()')(again))
deep('generator', (again) => [
  ...(function* () {
    yield again()
  })(),
])
deep('yield*', (again) =>
  (function* inner() {
    again()
    yield* inner()
  })().next(),
)
deep('async function', async (again) => again())
deep('async function after await', (again) => {
  void (async () => {
    again()
    await null
  })()
})
deep('async generator', (again) => {
  void (async function* () {
    again()
  })().next()
})
deep('iterator of a for-of', (again) => {
  for (const _ of { [Symbol.iterator]: again }) break
})
deep('iterator of a spread', (again) => [...{ [Symbol.iterator]: again }])
deep('next of a destructuring', (again) => {
  const [a] = { [Symbol.iterator]: () => ({ next: again }) }
})
deep('return of an iterator', (again) => {
  for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: again }) })
    break
})
deep('iterator helper', (again) => [1].values().map(again).next())
deep('Array.from', (again) => Array.from([1], again))
for (const name of [
  'map',
  'forEach',
  'filter',
  'some',
  'every',
  'find',
  'findLast',
  'flatMap',
  'reduce',
  'reduceRight',
])
  deep(`Array.prototype.${name}`, (again) => [1, 2][name](again, 0))
deep('sort', (again) => [2, 1].sort(again))
deep('toSorted', (again) => [2, 1].toSorted(again))
deep('typed array sort', (again) => new Float64Array([2, 1]).sort(again))
deep('typed array map', (again) => new Uint8Array(1).map(again))
deep('species', (again) => {
  const array = [1]
  array.constructor = {
    get [Symbol.species]() {
      return again()
    },
  }
  return array.map(String)
})
deep('join', (again) => [{ toString: again }].join())
deep('concat', (again) =>
  [].concat({
    get [Symbol.isConcatSpreadable]() {
      return again()
    },
  }),
)
deep('String.replace', (again) => 'a'.replace('a', again))
deep('String.replace of a RegExp', (again) => 'a'.replace(/a/, again))
deep('String.replaceAll', (again) => 'a'.replaceAll('a', again))
deep('String.split', (again) => 'a'.split({ [Symbol.split]: again }))
deep('RegExp exec', (again) => {
  const r = /a/
  r.exec = again
  return r.test('a')
})
deep('RegExp lastIndex', (again) => {
  const r = /a/g
  r.lastIndex = { valueOf: again }
  return r.test('a')
})
deep('Map.forEach', (again) => new Map([[1, 1]]).forEach(again))
deep('Map.groupBy', (again) => Map.groupBy([1], again))
deep('Object.groupBy', (again) => Object.groupBy([1], again))
deep('Object.assign', (again) =>
  Object.assign(
    {},
    {
      get a() {
        return again()
      },
    },
  ),
)
deep('Object.entries', (again) =>
  Object.entries({
    get a() {
      return again()
    },
  }),
)
deep('Object.fromEntries', (again) => Object.fromEntries({ [Symbol.iterator]: again }))
deep('defineProperty', (again) =>
  Object.defineProperty({}, 'a', {
    get value() {
      return again()
    },
  }),
)
for (const trap of [
  'get',
  'has',
  'ownKeys',
  'getPrototypeOf',
  'isExtensible',
  'getOwnPropertyDescriptor',
])
  deep(`proxy ${trap}`, (again) => Reflect[trap](new Proxy({}, { [trap]: again }), 'a'))
deep('proxy set', (again) => Reflect.set(new Proxy({}, { set: again }), 'a', 1))
deep('proxy apply', (again) => new Proxy(() => 1, { apply: again })())
deep('proxy construct', (again) => new new Proxy(class {}, { construct: again })())
deep('proxy of its own handler', (again) => new Proxy({}, new Proxy({}, { get: again })).a)
deep('instanceof', (again) => 1 instanceof { [Symbol.hasInstance]: again })
deep(
  'constructor',
  (again) =>
    new (class {
      constructor() {
        again()
      }
    })(),
)
deep(
  'super constructor',
  (again) =>
    new (class extends class {
      constructor() {
        again()
      }
    } {})(),
)
deep(
  'class field',
  (again) =>
    new (class {
      a = again()
    })(),
)
deep(
  'static block',
  (again) =>
    class {
      static {
        again()
      }
    },
)
deep('default argument', (again) => ((a = again()) => a)())
deep('Error.prepareStackTrace', (again) => {
  Error.prepareStackTrace = again
  try {
    return new Error('x').stack
  } finally {
    Error.prepareStackTrace = undefined
  }
})
deep(
  'Error cause getter',
  (again) =>
    new Error('x', {
      get cause() {
        return again()
      },
    }),
)
deep('AggregateError iterator', (again) => new AggregateError({ [Symbol.iterator]: again }))
deep('promise executor', (again) => {
  void new Promise(() => again()).catch(() => {})
})
// Its jobs read the getter again: each of them would begin again, up to the last of all frames.
let isThenable = true
deep('thenable getter', (again) => {
  Promise.resolve({
    get then() {
      return isThenable && again()
    },
  }).catch(() => {})
})
isThenable = false
deep('Promise subclass', (again) => {
  class P extends Promise {
    constructor(f) {
      again()
      super(f)
    }
  }
  P.resolve(1)
})
deep('finally', (again) => {
  try {
    again()
  } finally {
    again
  }
})
deep('try in try', (again) => {
  try {
    again()
  } catch (error) {
    throw error
  }
})
deep('console.log', (again) => console.log({ toJSON: again, toString: again }))
deep('DataView', (again) => new DataView(new ArrayBuffer(8)).getInt8({ valueOf: again }))
deep('Date', (again) => new Date({ valueOf: again }))
deep('BigInt', (again) => BigInt({ valueOf: again }))
deep('Math.max', (again) => Math.max({ valueOf: again }))
deep('using', (again) => {
  new Function('again', '{ using a = { [Symbol.dispose]: again } }')(again)
})

// Depth made of data instead of calls.
const N = 100_000
ends('bound functions of bound functions', () => {
  let f = () => 1
  // Each would be named "bound " and the name before.
  for (let n = 0; n < N; n += 1) f = Object.defineProperty(f.bind(null), 'name', { value: '' })
  return f()
})
ends('proxies of proxies, get', () => proxies(N).a)
ends('proxies of proxies, set', () => {
  proxies(N).a = 1
})
ends('proxies of proxies, has', () => 'a' in proxies(N))
ends('proxies of proxies, keys', () => Object.keys(proxies(N)))
ends('proxies of proxies, delete', () => delete proxies(N).a)
ends('proxies of proxies, isArray', () => Array.isArray(proxies(N)))
ends('proxies of proxies, call', () => proxies(N, () => 1)())
ends('proxies of proxies, construct', () => new (proxies(N, class {}))())
ends('proxies of proxies, prototype', () => Object.getPrototypeOf(proxies(N)))
ends('proxies of proxies, setPrototypeOf', () => Object.setPrototypeOf(proxies(N), null))
ends('proxies of proxies, define', () => Object.defineProperty(proxies(N), 'a', { value: 1 }))
ends('proxies of proxies, freeze', () => Object.freeze(proxies(N)))
ends('proxies of proxies, isExtensible', () => Object.isExtensible(proxies(N)))
ends('proxies of proxies, JSON', () => JSON.stringify(proxies(N)))
ends('proxies of proxies, instanceof', () => proxies(N) instanceof Object)
ends('proxies of proxies, typeof', () => typeof proxies(N))
ends('proxies of proxies, spread', () => ({ ...proxies(N) }))
ends('proxies of proxies, toString', () => Object.prototype.toString.call(proxies(N)))
ends('proxies of proxies, new.target', () => Reflect.construct(Array, [], proxies(N, class {})))
ends('proxies of proxies, species', () => [].concat.call(proxies(N, []), 1))
ends('prototype of a proxy whose prototype is a proxy', () => {
  let object = {}
  for (let n = 0; n < N; n += 1) object = new Proxy(Object.create(object), {})
  return object.a
})
ends('prototype chain', () => {
  let object = {}
  for (let n = 0; n < N; n += 1) object = Object.create(object)
  return [object.a, 'a' in object, object instanceof Map, (object.a = 1)]
})
ends('class extends chain', () => {
  let C = class {}
  for (let n = 0; n < N; n += 1) C = class extends C {}
  return new C()
})
ends('class extends chain with constructors', () => {
  let C = class {}
  for (let n = 0; n < N; n += 1)
    C = class extends C {
      constructor() {
        super()
      }
    }
  return new C()
})
ends('yield* chain', () => {
  let inner = (function* () {
    yield 1
  })()
  for (let n = 0; n < N; n += 1)
    inner = (function* (it) {
      yield* it
    })(inner)
  return inner.next()
})
ends('iterator helper chain', () => {
  let inner = [1].values()
  for (let n = 0; n < N; n += 1) inner = inner.map((x) => x)
  return [...inner]
})
ends('iterator helper chain, return', () => {
  let inner = [1].values()
  for (let n = 0; n < N; n += 1) inner = inner.take(1)
  return inner.return()
})
ends('Iterator.concat chain', () => {
  let inner = [1]
  for (let n = 0; n < N; n += 1) inner = Iterator.concat(inner)
  return [...inner]
})
ends('flat', () => nested(N).flat(Infinity))
ends('JSON.stringify of nested arrays', () => JSON.stringify(nested(N)))
ends('JSON.stringify of nested objects', () => {
  let value = {}
  for (let n = 0; n < N; n += 1) value = { value }
  return JSON.stringify(value)
})
ends('JSON.parse of nested arrays', () => JSON.parse('['.repeat(N) + ']'.repeat(N)))
ends('JSON.parse of nested objects', () => JSON.parse('{"a":'.repeat(N) + '1' + '}'.repeat(N)))
ends('JSON.parse with a reviver', () => JSON.parse('['.repeat(300) + ']'.repeat(300), (_, v) => v))
ends('join of nested arrays', () => String(nested(N)))
ends('nested arrays, localized', () => nested(N).toLocaleString())
ends('cause chain', () => {
  let error = new Error('0')
  for (let n = 0; n < N; n += 1) error = new Error('x', { cause: error })
  console.log(error)
  return error.cause.message
})
ends('linked list of 1,000,000', () => {
  let list = null
  for (let n = 0; n < 1e6; n += 1) list = { list }
  return list !== null
})
ends('closures in closures', () => {
  let f = () => 1
  for (let n = 0; n < N; n += 1)
    f = (
      (g) => () =>
        g
    )(f)
  return typeof f
})
ends('strings in strings', () => {
  let s = ''
  for (let n = 0; n < 20_000; n += 1)
    s =
      n % 2
        ? s + 'abcdefghijklmnopqrstuvwxyz'.repeat(9)
        : 'zyxwvutsrqponmlkjihgfedcba'.repeat(9) + s
  return [s.length, s.charCodeAt(77), s === `${s} `, new Map([[s, 1]]).get(s)]
})
ends('Map of Maps', () => {
  let map = new Map()
  for (let n = 0; n < N; n += 1) map = new Map([[map, map]])
  return map.size
})
ends('WeakMap chain', () => {
  const map = new WeakMap()
  let key = {}
  for (let n = 0; n < N; n += 1) {
    const next = {}
    map.set(key, next)
    key = next
  }
  return map.has(key)
})
ends('WeakRef chain', () => {
  let ref = {}
  for (let n = 0; n < N; n += 1) ref = new WeakRef({ ref: new WeakRef(ref) })
  return typeof ref
})

function proxies(count, target = {}) {
  let object = target
  for (let n = 0; n < count; n += 1) object = new Proxy(object, {})
  return object
}

function nested(count) {
  let list = []
  for (let n = 0; n < count; n += 1) list = [list]
  return list
}
