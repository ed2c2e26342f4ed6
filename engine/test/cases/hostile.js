const quiet = (run) => {
  try {
    run()
  } catch {
    return 'thrown'
  }
  return 'returned'
}
// 1: huge and strange values for structuredClone
const deep = (n) => {
  let a = {}
  for (let i = 0; i < n; i++) a = { a }
  return a
}
fact(
  '100,000 levels are cloned or refused',
  ['nothing', 'RangeError', 'DOMException DataCloneError'].includes(
    thrown(() => structuredClone(deep(100_000))),
  ),
  true,
)
fact(
  '20,000 causes',
  ['nothing', 'RangeError', 'DOMException DataCloneError'].includes(
    thrown(() => {
      let e = new Error()
      for (let i = 0; i < 20_000; i++) e = new Error('', { cause: e })
      structuredClone(e)
    }),
  ),
  true,
)
fact(
  'a prototype that is a proxy',
  thrown(() =>
    structuredClone(
      Object.create(
        new Proxy(
          {},
          {
            getPrototypeOf() {
              throw new RangeError()
            },
            get() {
              throw new RangeError()
            },
          },
        ),
      ),
    ),
  ).length > 0,
  true,
)
fact('100,000 items', structuredClone(Array.from({ length: 100_000 }, (_, i) => i)).length, 100_000)
fact(
  'a getter that detaches',
  (() => {
    const v = new Uint8Array(4)
    return thrown(() =>
      structuredClone({
        get a() {
          v.buffer.transfer()
          return 1
        },
        v,
      }),
    )
  })(),
  'DOMException DataCloneError',
)
fact(
  'a getter that detaches what is transferred',
  (() => {
    const v = new Uint8Array(4)
    return thrown(() =>
      structuredClone(
        {
          b: v.buffer,
          get z() {
            v.buffer.transfer()
            return 1
          },
        },
        { transfer: [v.buffer] },
      ),
    )
  })(),
  'DOMException DataCloneError',
  { node: 'nothing' },
)
// 2: listeners
fact(
  '2,000 listeners',
  (() => {
    const t = new EventTarget()
    let n = 0
    for (let i = 0; i < 2_000; i++) t.addEventListener('x', () => n++, { once: i % 2 === 0 })
    t.dispatchEvent(new Event('x'))
    t.dispatchEvent(new Event('x'))
    return n
  })(),
  3_000,
)
fact(
  'dispatch within dispatch without end',
  quiet(() => {
    const t = new EventTarget()
    let n = 0
    t.addEventListener('x', () => {
      if (n++ < 50) t.dispatchEvent(new Event('x'))
    })
    t.dispatchEvent(new Event('x'))
  }),
  'returned',
)
fact(
  'options with a getter that throws',
  thrown(() =>
    new EventTarget().addEventListener('x', () => {}, {
      get once() {
        throw new RangeError()
      },
    }),
  ),
  'RangeError',
)
fact(
  'an iterator that throws',
  thrown(() =>
    AbortSignal.any({
      [Symbol.iterator]() {
        throw new RangeError()
      },
    }),
  ),
  'RangeError',
)
fact(
  'a chain of 3,000 any',
  (() => {
    const c = new AbortController()
    let s = c.signal
    for (let i = 0; i < 3_000; i++) s = AbortSignal.any([s])
    c.abort(1)
    return s.reason
  })(),
  1,
)
// 3: blobs
fact('100,000 parts', new Blob(Array.from({ length: 100_000 }, () => 'ab')).size, 200_000)
fact(
  'a part whose text throws',
  thrown(
    () =>
      new Blob([
        {
          toString() {
            throw new RangeError()
          },
        },
      ]),
  ),
  'RangeError',
)
fact('a fake Blob', new Blob([Object.create(Blob.prototype)]).size, 13)
fact(
  'a fake slice',
  thrown(() => Blob.prototype.slice.call(Object.create(Blob.prototype))),
  'TypeError',
)
// 4: streams
fact(
  'a source with getters that throw',
  thrown(
    () =>
      new ReadableStream({
        get pull() {
          throw new RangeError()
        },
      }),
  ),
  'RangeError',
)
fact(
  'a thenable chunk',
  await (async () => {
    const r = new ReadableStream({
      start(c) {
        c.enqueue({
          then() {
            throw new RangeError()
          },
        })
      },
    }).getReader()
    return typeof (await r.read()).value.then
  })(),
  'function',
)
fact(
  'a byte chunk that is detached',
  thrown(() => {
    const v = new Uint8Array(2)
    v.buffer.transfer()
    new ReadableStream({
      type: 'bytes',
      start(c) {
        c.enqueue(v)
      },
    })
  }),
  'TypeError',
)
fact(
  'a fake stream',
  thrown(() => ReadableStream.prototype.getReader.call(Object.create(ReadableStream.prototype))),
  'TypeError',
)
fact(
  'a size that throws',
  await (async () => {
    let e
    try {
      new ReadableStream(
        {
          start(c) {
            c.enqueue(1)
          },
        },
        {
          size() {
            throw new RangeError()
          },
        },
      )
    } catch (x) {
      e = x.name
    }
    return e
  })(),
  'RangeError',
)
fact(
  '20 transforms in a row',
  await (async () => {
    let s = ReadableStream.from([1])
    for (let i = 0; i < 20; i++) s = s.pipeThrough(new TransformStream())
    return (await s.getReader().read()).value
  })(),
  1,
)
fact(
  '20,000 reads at once',
  await (async () => {
    let n = 0
    const r = new ReadableStream({
      pull(c) {
        if (n++ < 20_000) c.enqueue(n)
        else c.close()
      },
    }).getReader()
    const all = []
    for (let i = 0; i < 20_000; i++) all.push(r.read())
    await Promise.all(all)
    return n >= 20_000
  })(),
  true,
)
// 5: prototypes that are overwritten afterwards
const saved = {
  push: Array.prototype.push,
  then: Promise.prototype.then,
  iterator: Array.prototype[Symbol.iterator],
  get: Map.prototype.get,
  has: Set.prototype.has,
  exec: RegExp.prototype.exec,
  call: Function.prototype.call,
  map: Array.prototype.map,
  slice: Array.prototype.slice,
  forEach: Map.prototype.forEach,
}
const broken = () => {
  throw new Error('broken')
}
const kit = { clone: structuredClone, Blob, FormData, AbortController, EventTarget, Event }
const results = {}
Array.prototype.push = broken
Map.prototype.get = broken
Set.prototype.has = broken
RegExp.prototype.exec = broken
Array.prototype.map = broken
Array.prototype.slice = broken
Map.prototype.forEach = broken
Function.prototype.call = broken
try {
  const copy = kit.clone(new Map([['a', [1, /x/g]]]))
  results.clone = copy.size
  results.blob = new kit.Blob(['a'], { type: 'A/b' }).type
  const form = new kit.FormData()
  form.append('a', 'b')
  results.form = form.get('a')
  const c = new kit.AbortController()
  let n = 0
  c.signal.addEventListener('abort', () => n++)
  c.abort()
  results.abort = n
} catch (e) {
  results.error = `${e}`
}
Array.prototype.push = saved.push
Map.prototype.get = saved.get
Set.prototype.has = saved.has
RegExp.prototype.exec = saved.exec
Array.prototype.map = saved.map
Array.prototype.slice = saved.slice
Map.prototype.forEach = saved.forEach
Function.prototype.call = saved.call
fact(
  'overwritten prototypes',
  results,
  { clone: 1, blob: 'a/b', form: 'b', abort: 1 },
  { node: results },
)
// 6: no log statement throws
const bomb = () => {
  throw new RangeError('bomb')
}
const trapped = new Proxy(
  {},
  { get: bomb, ownKeys: bomb, getPrototypeOf: bomb, getOwnPropertyDescriptor: bomb, has: bomb },
)
let proxies = {}
for (let i = 0; i < 10_000; i++) proxies = new Proxy(proxies, {})
const values = {
  deep: deep(10_000),
  'a proxy': trapped,
  'a prototype that is a proxy': Object.create(trapped),
  '10,000 proxies': proxies,
  'a tag that throws': Object.defineProperty({}, Symbol.toStringTag, { get: bomb }),
  'a constructor that throws': Object.defineProperty({}, 'constructor', { get: bomb }),
  'a name that throws': { constructor: Object.defineProperty(() => {}, 'name', { get: bomb }) },
  'an error that throws': Object.defineProperties(new Error('x'), {
    name: { get: bomb },
    message: { get: bomb },
    stack: { get: bomb },
    cause: { get: bomb },
  }),
  'an error of causes': (() => {
    let e = new Error('0')
    for (let i = 0; i < 1_000; i++) e = new Error('x', { cause: e })
    return e
  })(),
  'a detached array': (() => {
    const v = new Uint8Array(4)
    v.buffer.transfer()
    return v
  })(),
  'a revoked proxy': (() => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  })(),
  'a lone surrogate': 'a\ud800b',
  'a lone surrogate within': ['a\ud800b', { '\udfff': 1 }],
  'a huge array': new Array(4_294_967_295),
  'an array of holes': Object.assign([], { 4_294_967_290: 1 }),
  'many items': Array.from({ length: 100_000 }, () => ({ a: 'b'.repeat(100) })),
  'a Date without a time': new Date(NaN),
  'another Date': Object.create(Date.prototype),
  'another RegExp': Object.create(RegExp.prototype),
  'another Map': Object.create(Map.prototype),
  'a Map that lies': Object.defineProperty(new Map(), 'size', { get: bomb }),
  prototypes: [
    Map.prototype,
    Error.prototype,
    Uint8Array.prototype,
    Promise.prototype,
    DOMException.prototype,
    Event.prototype,
  ],
}
for (const [name, value] of Object.entries(values)) {
  // In Node some of them throw; only the engine must not.
  const calls = [
    () => console.log(value),
    () => console.log('%s %d %i %f %o %O', value, value, value, value, value, value),
    () => console.table(value),
    () => console.dir(value, { depth: null }),
  ]
  const isEngine = typeof process === 'undefined'
  fact(
    `console with ${name}`,
    isEngine ? calls.map(thrown) : 'not run',
    ['nothing', 'nothing', 'nothing', 'nothing'],
    { node: 'not run' },
  )
}

// 7: `then` is overwritten while streams run
const { then } = Promise.prototype
Promise.prototype.then = bomb
const streamed = []
try {
  const doubled = ReadableStream.from([1, 2]).pipeThrough(
    new TransformStream({ transform: (item, controller) => controller.enqueue(item * 2) }),
  )
  const reader = doubled.getReader()
  for (let item = await reader.read(); !item.done; item = await reader.read())
    streamed.push(item.value)
} catch (error) {
  streamed.push(`${error}`)
}
Promise.prototype.then = then
// Node ends with the error, too.
fact(
  'streams with an overwritten then',
  ['2,4', 'RangeError: bomb'].includes(String(streamed)),
  true,
)
