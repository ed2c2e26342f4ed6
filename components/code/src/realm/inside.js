/**
 * What a program finds in its realm: tools, search, describe, console, timers, progress and sleep.
 *
 * It runs in the realm of the program, which may take over all of it. So it protects nothing: what it posts is checked outside,
 * where the limits are. It keeps the built-in functions it needs, so that a program that changes a prototype by mistake
 * still gets its results.
 */
export default function inside(post) {
  const { parse, stringify } = JSON
  const { assign, create, defineProperty, entries, freeze, fromEntries } = Object
  const { construct } = Reflect
  const { imul } = Math
  const { isArray, from } = Array
  const { isView } = ArrayBuffer
  const [ErrorClass, MapClass, SetClass, PromiseClass] = [Error, Map, Set, Promise]
  const [TypeErrorClass, RangeErrorClass, Text] = [TypeError, RangeError, String]
  const { call } = Function.prototype
  const mapGet = call.bind(Map.prototype.get)
  const mapSet = call.bind(Map.prototype.set)
  const mapDelete = call.bind(Map.prototype.delete)
  const slice = call.bind(String.prototype.slice)
  const then = call.bind(Promise.prototype.then)

  /** What waits for an answer of the other side, and timers. */
  const open = new MapClass()
  let lastId = 0

  /** The rule for values that JSON has no form for; the rest is as in JSON.stringify. */
  function plain(_key, value) {
    if (typeof value === 'bigint') return Text(value)
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof MapClass) {
      const pairs = from(value)
      return pairs.every(([key]) => typeof key === 'string') ? fromEntries(pairs) : pairs
    }
    if (value instanceof SetClass || isView(value)) return isDataView(value) ? {} : from(value)
    if (value instanceof ErrorClass) return { name: value.name, message: value.message }
    return value
  }
  const isDataView = (value) => value instanceof DataView

  const send = (message) => post(stringify(message))

  /** @param what for the message of an error: what cannot be JSON. */
  function toJson(value, what) {
    try {
      return stringify(value, plain)
    } catch (error) {
      if (error instanceof TypeErrorClass && /circular/.test(error.message)) {
        throw new TypeErrorClass(`${what} refers to itself, so it cannot be JSON`)
      }
      if (error instanceof RangeErrorClass) {
        throw new RangeErrorClass(`${what} is nested too deeply to be JSON`)
      }
      throw error
    }
  }

  class ToolError extends Error {
    constructor(message, { code, tool } = {}) {
      super(message)
      this.code = code
      this.tool = tool
    }
  }
  defineProperty(ToolError.prototype, 'name', { value: 'ToolError' })

  /** Posts a message, and waits for its answer. */
  function ask(message) {
    const id = ++lastId
    // Made here, so that its stack has the line of the program.
    const error = new ToolError('')
    return new PromiseClass((resolve, reject) => {
      mapSet(open, id, { resolve, reject, error })
      send({ ...message, id })
    })
  }

  function tool(component, name) {
    const called = (args = {}) => {
      if (typeof args !== 'object' || args === null || isArray(args)) {
        throw new TypeErrorClass(`the arguments of ${component}.${name} must be an object`)
      }
      return ask({ type: 'call', component, tool: name, json: toJson(args, 'an argument') })
    }
    defineProperty(called, 'name', { value: name })
    return freeze(called)
  }

  /** @param names component and its tools: `[["echo", ["echo"]]]`. */
  function toolsOf(names) {
    const tools = create(null)
    for (const [component, list] of names) {
      const own = create(null)
      for (const name of list) own[name] = tool(component, name)
      tools[component] = freeze(own)
    }
    return freeze(tools)
  }

  /** As a log shows it: a string as it is, anything else as JSON. */
  function shown(value) {
    if (typeof value === 'string') return value
    if (typeof value === 'function' || typeof value === 'symbol') return Text(value)
    if (value instanceof ErrorClass) return Text(value.stack ? `${value}\n${value.stack}` : value)
    try {
      return stringify(value, plain) ?? Text(value)
    } catch {
      return '[cannot be shown]'
    }
  }

  const MAX_ENTRY = 4000
  const log = (level) =>
    freeze(function log(...values) {
      let text = ''
      for (let i = 0; i < values.length && text.length <= MAX_ENTRY; i++) {
        text += (i > 0 ? ' ' : '') + shown(values[i])
      }
      send({ type: 'log', level, text: slice(text, 0, MAX_ENTRY + 1) })
    })

  function timer(callback, delay, repeats, args) {
    if (typeof callback !== 'function') throw new TypeErrorClass('a timer needs a function')
    const id = ++lastId
    const wait = delay > 0 ? +delay : 0
    mapSet(open, id, { callback, args, wait, repeats, due: clock + wait })
    send({ type: 'timer', id, delay: wait, repeats })
    return id
  }
  function clearTimer(id) {
    if (mapGet(open, id)?.callback && mapDelete(open, id)) send({ type: 'clear', id })
  }

  const GLOBALS = {
    console: freeze({
      ...{ log: log('info'), info: log('info'), debug: log('debug') },
      ...{ warn: log('warning'), error: log('error'), trace: log('debug') },
    }),
    setTimeout: (callback, delay, ...args) => timer(callback, delay, false, args),
    setInterval: (callback, delay, ...args) => timer(callback, delay, true, args),
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
    queueMicrotask: (callback) => void then(PromiseClass.resolve(), () => callback()),
    sleep: (ms) => new PromiseClass((resolve) => timer(resolve, ms, false, [])),
    progress: (progress, total, message) =>
      send({ type: 'progress', progress, total, message: message && Text(message) }),
    search: (query, options) =>
      ask({ type: 'search', json: toJson({ ...options, query: Text(query) }, 'an option') }),
    describe: (tools, options) =>
      ask({
        type: 'describe',
        json: toJson(
          { ...options, tools: typeof tools === 'string' ? [tools] : tools },
          'an option',
        ),
      }),
    ToolError,
  }
  // A run that is started again must take the same way, so the clock stands still but for timers, and the numbers are those
  // of the run.
  const RealDate = Date
  let clock = 0
  let random = () => 0
  function FixedDate(...args) {
    if (!new.target) return Text(new RealDate(clock))
    return construct(RealDate, args.length > 0 ? args : [clock], new.target)
  }
  const { prototype, UTC, parse: parseDate } = RealDate
  defineProperty(FixedDate, 'name', { value: 'Date' })
  assign(FixedDate, { UTC, parse: parseDate, now: () => clock })
  FixedDate.prototype = prototype
  prototype.constructor = FixedDate
  globalThis.Date = FixedDate
  Math.random = () => random()
  delete globalThis.performance

  for (const [name, value] of entries(GLOBALS)) {
    defineProperty(globalThis, name, { value: freeze(value) })
  }

  /** mulberry32: it need not be unpredictable. */
  const randomOf = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** Reads an error's parts, though getters of the program may throw. */
  function partsOf(error) {
    const read = (key) => {
      try {
        const value = error[key]
        return value === undefined ? undefined : Text(value)
      } catch {
        return undefined
      }
    }
    const isError = typeof error === 'object' && error !== null
    const isThrown = isError && (error instanceof ErrorClass || typeof error.message === 'string')
    if (!isThrown) return { name: 'Thrown', message: slice(shown(error), 0, MAX_ENTRY) }
    const { cause } = error
    return {
      ...{ name: read('name') ?? 'Error', message: slice(read('message') ?? '', 0, MAX_ENTRY) },
      ...{
        stack: slice(read('stack') ?? '', 0, MAX_ENTRY),
        code: read('code'),
        tool: read('tool'),
      },
      ...(cause instanceof ErrorClass && { cause: slice(Text(cause.message), 0, MAX_ENTRY) }),
    }
  }

  function failed(error) {
    let parts
    try {
      parts = partsOf(error)
    } catch {
      parts = { name: 'Error', message: 'an error that cannot be read' }
    }
    send({ type: 'error', ...parts })
  }

  const settle = {
    answer({ id, json }) {
      const waiting = mapGet(open, id)
      if (waiting?.resolve && mapDelete(open, id)) waiting.resolve(parse(json))
    },
    refusal({ id, message, code, tool }) {
      const waiting = mapGet(open, id)
      if (!waiting?.reject || !mapDelete(open, id)) return
      const { error } = waiting
      defineProperty(error, 'message', { value: message, writable: true, configurable: true })
      assign(error, { code, tool })
      waiting.reject(error)
    },
    fire({ id }) {
      const waiting = mapGet(open, id)
      if (!waiting?.callback) return
      if (waiting.due > clock) clock = waiting.due
      if (waiting.repeats) waiting.due = clock + (waiting.wait > 1 ? waiting.wait : 1)
      else mapDelete(open, id)
      try {
        waiting.callback(...waiting.args)
      } catch (error) {
        failed(error)
      }
    },
    begin({ tools, now, seed, input }) {
      clock = now
      random = randomOf(seed)
      defineProperty(globalThis, 'input', { value: input })
      if (tools) defineProperty(globalThis, 'tools', { value: toolsOf(tools) })
    },
  }

  return {
    /** @param main a program: a function that returns its result, or a function that does. */
    run(main) {
      const finish = (value) => {
        if (typeof value === 'function')
          return then(PromiseClass.resolve(value(globalThis.tools)), end)
        return end(value)
      }
      const end = (value) => send({ type: 'done', json: toJson(value, 'the result') })
      then(then(main(), finish), undefined, failed)
    },
    receive(text) {
      const message = parse(text)
      settle[message.type](message)
    },
    rejected: failed,
  }
}
