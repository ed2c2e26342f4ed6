/** AbortController and AbortSignal: https://dom.spec.whatwg.org/#aborting-ongoing-activities */
import { SafeSet, setAdd, setDelete, setForEach, setHas } from './primordials.js'
import { exposeInterface, illegalConstructor, needArguments, toSequence } from './web-idl.js'
import { EventTarget, fire, useSignals } from './event-target.js'
import { provide } from './host.js'

const secret = {}
const abortError = () => new DOMException('This operation was aborted', 'AbortError')

let stateOf
let isSignal
const newSignal = () => new AbortSignal(secret)

export class AbortSignal extends EventTarget {
  #state = {
    aborted: false,
    reason: undefined,
    /** Functions to run before the event is fired. */
    algorithms: undefined,
    /** Signals of `AbortSignal.any` that follow this one. */
    dependents: undefined,
    /** What this one follows: never itself a signal that follows others. */
    sources: undefined,
    handler: null,
    handlerAdded: false,
  }

  static {
    stateOf = (signal) => signal.#state
    isSignal = (value) => typeof value === 'object' && value !== null && #state in value
  }

  constructor() {
    if (arguments[0] !== secret) throw illegalConstructor()
    super()
  }

  static abort(reason = undefined) {
    const signal = newSignal()
    const state = stateOf(signal)
    state.aborted = true
    state.reason = reason === undefined ? abortError() : reason
    return signal
  }

  static timeout(milliseconds) {
    needArguments(arguments.length, 1, 'AbortSignal.timeout')
    const delay = Math.trunc(Number(milliseconds))
    if (!(delay >= 0 && delay <= Number.MAX_SAFE_INTEGER)) {
      throw new TypeError(
        'AbortSignal.timeout: the time must be a number of milliseconds from 0 to 2^53 - 1',
      )
    }
    const signal = newSignal()
    // The timers are looked up here: at build time there are none.
    globalThis.setTimeout(
      () =>
        abort(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      delay,
    )
    return signal
  }

  static any(signals) {
    needArguments(arguments.length, 1, 'AbortSignal.any')
    const given = toSequence(signals, 'AbortSignal.any: the signals')
    for (let i = 0; i < given.length; i++) {
      if (!isSignal(given[i]))
        throw new TypeError('AbortSignal.any: every item must be an AbortSignal')
    }
    return following(given)
  }

  get aborted() {
    return this.#state.aborted
  }
  get reason() {
    return this.#state.reason
  }
  throwIfAborted() {
    if (this.#state.aborted) throw this.#state.reason
  }
  get onabort() {
    return this.#state.handler
  }
  set onabort(value) {
    const state = this.#state
    state.handler =
      typeof value === 'function' || (typeof value === 'object' && value) ? value : null
    if (state.handler === null || state.handlerAdded) return
    state.handlerAdded = true
    addListener.call(this, 'abort', function (event) {
      if (typeof state.handler === 'function') return state.handler.call(this, event)
    })
  }
}

/** A signal that is aborted with the first of others. */
function following(others) {
  const signal = newSignal()
  const state = stateOf(signal)
  for (let i = 0; i < others.length; i++) {
    const source = stateOf(others[i])
    if (!source.aborted) continue
    state.aborted = true
    state.reason = source.reason
    return signal
  }
  state.sources = new SafeSet()
  for (let i = 0; i < others.length; i++) follow(signal, state, others[i])
  return signal
}

const addListener = EventTarget.prototype.addEventListener

function follow(signal, state, source) {
  const sourceState = stateOf(source)
  const link = (to) => {
    setAdd(state.sources, to)
    const toState = stateOf(to)
    setAdd((toState.dependents ??= new SafeSet()), signal)
  }
  if (sourceState.sources === undefined) link(source)
  else setForEach(sourceState.sources, link)
}

function abort(signal, reason) {
  const state = stateOf(signal)
  if (state.aborted) return
  state.aborted = true
  state.reason = reason === undefined ? abortError() : reason
  const followers = []
  if (state.dependents !== undefined) {
    setForEach(state.dependents, (one) => {
      const follower = stateOf(one)
      if (follower.aborted) return
      follower.aborted = true
      follower.reason = state.reason
      followers[followers.length] = one
    })
    state.dependents = undefined
  }
  finish(signal, state)
  for (let i = 0; i < followers.length; i++) finish(followers[i], stateOf(followers[i]))
}

function finish(signal, state) {
  const { algorithms } = state
  state.algorithms = undefined
  if (algorithms !== undefined) setForEach(algorithms, (algorithm) => algorithm())
  fire(signal, 'abort')
}

function addAlgorithm(signal, algorithm) {
  const state = stateOf(signal)
  if (!state.aborted) setAdd((state.algorithms ??= new SafeSet()), algorithm)
}

class AbortController {
  #signal = newSignal()

  get signal() {
    return this.#signal
  }
  abort(reason = undefined) {
    abort(this.#signal, reason)
  }
}

useSignals({ isSignal, isAborted: (signal) => stateOf(signal).aborted, addAlgorithm })
exposeInterface('AbortSignal', AbortSignal)
exposeInterface('AbortController', AbortController)

provide({
  isSignal,
  /** @param source what the new signal follows, if anything. */
  newSignal: (source) => (source === undefined ? newSignal() : following([source])),
  abortSignal: abort,
  abortError,
  newDOMException: (message, name) => new DOMException(message, name),
  /** @returns `{ aborted, reason }`, or undefined for anything that is not a signal. */
  signalState: (value) => {
    if (!isSignal(value)) return undefined
    const { aborted, reason } = stateOf(value)
    return { aborted, reason }
  },
  /** Calls back at once when the signal is aborted already. @returns a function that ends the subscription. */
  onAbort: (signal, callback) => {
    const state = stateOf(signal)
    if (state.aborted) {
      callback(state.reason)
      return () => {}
    }
    const algorithm = () => callback(state.reason)
    addAlgorithm(signal, algorithm)
    return () => {
      if (state.algorithms !== undefined && setHas(state.algorithms, algorithm)) {
        setDelete(state.algorithms, algorithm)
      }
    }
  },
})
