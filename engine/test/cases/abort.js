const c = new AbortController()
fact('signal', [c.signal.aborted, c.signal.reason, c.signal === c.signal], [false, undefined, true])
fact('tags', [String(c), String(c.signal)], ['[object AbortController]', '[object AbortSignal]'])
const events = []
c.signal.addEventListener('abort', (e) =>
  events.push(['listener', e.type, e.isTrusted, e.target === c.signal, e.bubbles]),
)
c.signal.onabort = function (e) {
  events.push(['handler', this === c.signal, e instanceof Event])
}
c.abort()
c.abort('again')
fact('events', events, [
  ['listener', 'abort', true, true, false],
  ['handler', true, true],
])
fact('aborted', c.signal.aborted, true)
fact(
  'reason',
  [c.signal.reason instanceof DOMException, c.signal.reason.name, c.signal.reason.code],
  [true, 'AbortError', 20],
)
fact(
  'throwIfAborted',
  thrown(() => c.signal.throwIfAborted()),
  'DOMException AbortError',
)
fact(
  'throwIfAborted before',
  thrown(() => new AbortController().signal.throwIfAborted()),
  'nothing',
)
for (const reason of ['text', null, 0, false]) {
  const d = new AbortController()
  d.abort(reason)
  fact(`reason ${reason}`, d.signal.reason, reason)
}
fact(
  'constructor is illegal',
  thrown(() => new AbortSignal()),
  'TypeError',
)
fact(
  'subclass is illegal',
  thrown(() => new (class extends AbortSignal {})()),
  'TypeError',
)
fact(
  'without new',
  thrown(() => AbortController()),
  'TypeError',
)
fact(
  'lengths',
  [
    AbortController.length,
    AbortSignal.length,
    AbortController.prototype.abort.length,
    AbortSignal.abort.length,
    AbortSignal.any.length,
    AbortSignal.timeout.length,
  ],
  [0, 0, 0, 0, 1, 1],
)
fact(
  'enumerable',
  ['abort', 'signal'].map(
    (k) => Object.getOwnPropertyDescriptor(AbortController.prototype, k).enumerable,
  ),
  [true, true],
)
fact(
  'AbortSignal.abort',
  [AbortSignal.abort().aborted, AbortSignal.abort().reason.name, AbortSignal.abort(5).reason],
  [true, 'AbortError', 5],
)
fact('is an EventTarget', c.signal instanceof EventTarget, true)
fact(
  'getter on another object',
  thrown(() => Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted').get.call({})),
  'TypeError',
)
fact(
  'prototype is not a signal',
  thrown(() => AbortSignal.prototype.aborted),
  'TypeError',
)
fact('onabort default', new AbortController().signal.onabort, null)
fact(
  'onabort of a number',
  (() => {
    const s = new AbortController().signal
    s.onabort = 5
    return s.onabort
  })(),
  null,
)
fact(
  'onabort removed',
  (() => {
    const d = new AbortController()
    let n = 0
    d.signal.onabort = () => n++
    d.signal.onabort = null
    d.abort()
    return n
  })(),
  0,
)
fact(
  'onabort replaced',
  (() => {
    const d = new AbortController()
    let n = ''
    d.signal.onabort = () => (n += 'a')
    d.signal.onabort = () => (n += 'b')
    d.abort()
    return n
  })(),
  'b',
)
const a = new AbortController()
const b = new AbortController()
const any = AbortSignal.any([a.signal, b.signal])
fact('any before', any.aborted, false)
const seen = []
any.addEventListener('abort', () => seen.push('any'))
a.signal.addEventListener('abort', () => seen.push(`a, any is ${any.aborted}`))
a.abort('why')
b.abort('no')
fact('any after', [any.aborted, any.reason, seen], [true, 'why', ['a, any is true', 'any']])
fact(
  'any of an aborted one',
  [
    AbortSignal.any([new AbortController().signal, AbortSignal.abort(7)]).reason,
    AbortSignal.any([AbortSignal.abort(7)]).aborted,
  ],
  [7, true],
)
fact('any of none', AbortSignal.any([]).aborted, false)
fact(
  'any of any',
  (() => {
    const d = new AbortController()
    const s = AbortSignal.any([AbortSignal.any([d.signal]), new AbortController().signal])
    d.abort(3)
    return s.reason
  })(),
  3,
)
fact(
  'any of a generator',
  (() =>
    AbortSignal.any(
      (function* () {
        yield AbortSignal.abort(1)
      })(),
    ).reason)(),
  1,
)
fact(
  'any of a signal',
  thrown(() => AbortSignal.any(c.signal)),
  'TypeError',
)
fact(
  'any of numbers',
  thrown(() => AbortSignal.any([1])),
  'TypeError',
)
fact(
  'any of nothing',
  thrown(() => AbortSignal.any()),
  'TypeError',
)
fact(
  'a duplicate fires once',
  (() => {
    const d = new AbortController()
    let n = 0
    AbortSignal.any([d.signal, d.signal]).onabort = () => n++
    d.abort()
    return n
  })(),
  1,
)
fact(
  'abort in a listener',
  (() => {
    const d = new AbortController()
    let n = 0
    d.signal.onabort = () => {
      n++
      d.abort()
    }
    d.abort()
    return n
  })(),
  1,
)
fact(
  'timeout of -1',
  thrown(() => AbortSignal.timeout(-1)).replace('RangeError', 'TypeError'),
  'TypeError',
)
fact(
  'timeout of nothing',
  thrown(() => AbortSignal.timeout()),
  'TypeError',
)
fact(
  'timeout of NaN',
  thrown(() => AbortSignal.timeout(Infinity)).replace('RangeError', 'TypeError'),
  'TypeError',
)
fact(
  'dispatchEvent on a signal',
  (() => {
    const d = new AbortController()
    let t
    d.signal.onabort = (e) => (t = e.isTrusted)
    d.signal.dispatchEvent(new Event('abort'))
    return [t, d.signal.aborted]
  })(),
  [false, false],
)
fact(
  'reason is the same object',
  (() => {
    const d = new AbortController()
    const r = {}
    d.abort(r)
    return d.signal.reason === r
  })(),
  true,
)
