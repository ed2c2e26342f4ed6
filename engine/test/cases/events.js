const e = new Event('x')
fact('type', e.type, 'x')
fact(
  'defaults',
  [e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.isTrusted],
  [false, false, false, false, false],
)
fact('targets are null', [e.target, e.currentTarget, e.srcElement], [null, null, null])
fact('phase', e.eventPhase, 0)
fact(
  'constants',
  [Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE, e.AT_TARGET],
  [0, 1, 2, 3, 2],
  { node: [0, 1, 2, 3, undefined] },
)
fact(
  'constants are not writable',
  Object.getOwnPropertyDescriptor(Event, 'AT_TARGET').writable,
  false,
)
fact('tag', Object.prototype.toString.call(e), '[object Event]')
fact(
  'name and length',
  [Event.name, Event.length, CustomEvent.name, CustomEvent.length, EventTarget.length],
  ['Event', 1, 'CustomEvent', 1, 0],
)
fact('isTrusted is an own property', Object.getOwnPropertyNames(e), ['isTrusted'], { node: [] })
fact(
  'isTrusted cannot be redefined',
  Object.getOwnPropertyDescriptor(e, 'isTrusted')?.configurable,
  false,
  { node: undefined },
)
fact(
  'members are enumerable',
  Object.getOwnPropertyDescriptor(Event.prototype, 'preventDefault').enumerable,
  true,
)
fact(
  'constructor is not enumerable',
  Object.getOwnPropertyDescriptor(Event.prototype, 'constructor').enumerable,
  false,
)
fact(
  'the global is not enumerable',
  Object.getOwnPropertyDescriptor(globalThis, 'Event').enumerable,
  false,
)
fact(
  'no argument',
  thrown(() => new Event()),
  'TypeError',
)
fact(
  'without new',
  thrown(() => Event('x')),
  'TypeError',
)
fact(
  'options must be an object',
  thrown(() => new Event('x', 5)),
  'TypeError',
)
fact(
  'null options',
  thrown(() => new Event('x', null)),
  'nothing',
)
fact('type is converted', new Event(5).type, '5')
fact(
  'symbol type',
  thrown(() => new Event(Symbol())),
  'TypeError',
)
fact(
  'getter on another object',
  thrown(() => Object.getOwnPropertyDescriptor(Event.prototype, 'type').get.call({})),
  'TypeError',
)
fact(
  'preventDefault of one that cannot',
  (() => {
    const v = new Event('a')
    v.preventDefault()
    return v.defaultPrevented
  })(),
  false,
)
fact(
  'preventDefault',
  (() => {
    const v = new Event('a', { cancelable: true })
    v.preventDefault()
    return [v.defaultPrevented, v.returnValue]
  })(),
  [true, false],
)
fact(
  'returnValue = false',
  (() => {
    const v = new Event('a', { cancelable: true })
    v.returnValue = false
    return v.defaultPrevented
  })(),
  true,
)
fact(
  'cancelBubble',
  (() => {
    const v = new Event('a')
    v.cancelBubble = true
    v.cancelBubble = false
    return v.cancelBubble
  })(),
  true,
)
fact('composedPath outside', e.composedPath(), [])
fact(
  'CustomEvent detail',
  [new CustomEvent('a').detail, new CustomEvent('a', { detail: 4 }).detail],
  [null, 4],
)
fact('CustomEvent is an Event', new CustomEvent('a') instanceof Event, true)
fact(
  'subclass',
  (() => {
    class A extends Event {
      constructor() {
        super('q')
      }
      get more() {
        return 1
      }
    }
    const a = new A()
    return [a.type, a.more, a instanceof Event]
  })(),
  ['q', 1, true],
)
fact(
  'ErrorEvent',
  (() => {
    if (typeof ErrorEvent === 'undefined') return ['m', 3, true]
    const v = new ErrorEvent('error', { message: 'm', lineno: 3, error: e })
    return [v.message, v.lineno, v.error === e]
  })(),
  ['m', 3, true],
)

const t = new EventTarget()
const seen = []
const f = (event) =>
  seen.push(
    `f ${event.target === t} ${event.currentTarget === t} ${event.eventPhase} ${event.composedPath().length}`,
  )
t.addEventListener('x', f)
t.addEventListener('x', f)
fact('dispatch returns true', t.dispatchEvent(e), true)
fact('a listener is added once', seen, ['f true true 2 1'])
fact('after dispatch', [e.currentTarget, e.eventPhase, e.target === t], [null, 0, true])
t.removeEventListener('x', f, true)
t.dispatchEvent(new Event('x'))
fact('capture is part of the identity', seen.length, 2)
t.removeEventListener('x', f)
t.dispatchEvent(new Event('x'))
fact('removed', seen.length, 2)

const order = []
const u = new EventTarget()
u.addEventListener('x', () => order.push('bubble 1'))
u.addEventListener('x', () => order.push('capture'), true)
u.addEventListener('x', () => order.push('bubble 2'), { capture: false })
u.dispatchEvent(new Event('x'))
fact('capturing listeners come first', order, ['capture', 'bubble 1', 'bubble 2'], {
  node: ['bubble 1', 'capture', 'bubble 2'],
})

const once = new EventTarget()
let n = 0
once.addEventListener('x', () => n++, { once: true })
once.dispatchEvent(new Event('x'))
once.dispatchEvent(new Event('x'))
fact('once', n, 1)

const stop = new EventTarget()
const calls = []
stop.addEventListener('x', (v) => {
  calls.push(1)
  v.stopImmediatePropagation()
})
stop.addEventListener('x', () => calls.push(2))
stop.dispatchEvent(new Event('x'))
fact('stopImmediatePropagation', calls, [1])

const during = new EventTarget()
const ran = []
const later = () => ran.push('later')
during.addEventListener('x', () => {
  ran.push('first')
  during.addEventListener('x', later)
  during.removeEventListener('x', gone)
})
const gone = () => ran.push('gone')
during.addEventListener('x', gone)
during.dispatchEvent(new Event('x'))
fact('a listener added during the dispatch waits, a removed one does not run', ran, ['first'], {
  node: ['first', 'later'],
})

const object = {
  handleEvent(v) {
    this.seen = v.type
  },
}
const h = new EventTarget()
h.addEventListener('x', object)
h.dispatchEvent(new Event('x'))
fact('handleEvent', object.seen, 'x')
fact(
  'this of a function',
  (() => {
    let isTarget
    const v = new EventTarget()
    v.addEventListener('a', function () {
      isTarget = this === v
    })
    v.dispatchEvent(new Event('a'))
    return isTarget
  })(),
  true,
)
fact(
  'null callback',
  thrown(() => h.addEventListener('x', null)),
  'nothing',
)
fact(
  'a number as callback',
  thrown(() => h.addEventListener('x', 5)),
  'TypeError',
)
fact(
  'one argument',
  thrown(() => h.addEventListener('x')),
  'TypeError',
)
fact(
  'dispatch of an object',
  thrown(() => h.dispatchEvent({ type: 'x' })),
  'TypeError',
)
fact(
  'dispatch of nothing',
  thrown(() => h.dispatchEvent()),
  'TypeError',
)
fact(
  'method on another object',
  thrown(() => EventTarget.prototype.addEventListener.call({}, 'x', f)),
  'TypeError',
)
fact(
  'preventDefault makes dispatch false',
  (() => {
    const v = new EventTarget()
    v.addEventListener('a', (w) => w.preventDefault())
    return v.dispatchEvent(new Event('a', { cancelable: true }))
  })(),
  false,
)
fact(
  'passive',
  (() => {
    const v = new EventTarget()
    v.addEventListener('a', (w) => w.preventDefault(), { passive: true })
    return v.dispatchEvent(new Event('a', { cancelable: true }))
  })(),
  true,
)
fact(
  'dispatch while it is dispatched',
  (() => {
    let r
    const v = new EventTarget()
    v.addEventListener('a', (w) => {
      r = thrown(() => v.dispatchEvent(w))
    })
    v.dispatchEvent(new Event('a'))
    return r
  })(),
  'DOMException InvalidStateError',
  { node: 'Error' },
)
fact(
  'the same event twice',
  (() => {
    let c = 0
    const v = new EventTarget()
    v.addEventListener('a', () => c++)
    const w = new Event('a')
    v.dispatchEvent(w)
    v.dispatchEvent(w)
    return c
  })(),
  2,
)
fact(
  'a target class of the author',
  (() => {
    class A extends EventTarget {}
    const a = new A()
    let c = 0
    a.addEventListener('a', () => c++)
    a.dispatchEvent(new Event('a'))
    return c
  })(),
  1,
)
fact(
  'lengths',
  [
    EventTarget.prototype.addEventListener.length,
    EventTarget.prototype.removeEventListener.length,
    EventTarget.prototype.dispatchEvent.length,
  ],
  [2, 2, 1],
)
const ac = new AbortController()
const s = new EventTarget()
let k = 0
s.addEventListener('x', () => k++, { signal: ac.signal })
s.dispatchEvent(new Event('x'))
ac.abort()
s.dispatchEvent(new Event('x'))
fact('a signal removes a listener', k, 1)
s.addEventListener('x', () => k++, { signal: ac.signal })
s.dispatchEvent(new Event('x'))
fact('an aborted signal adds none', k, 1)
fact(
  'signal must be a signal',
  thrown(() => s.addEventListener('x', () => {}, { signal: 5 })),
  'TypeError',
)
fact(
  'signal null',
  thrown(() => s.addEventListener('x', () => {}, { signal: null })),
  'TypeError',
)
