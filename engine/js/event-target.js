/** https://dom.spec.whatwg.org/#interface-eventtarget for objects without a tree: every event is at its target. */
import { applyTo, slice, splice } from './primordials.js'
import { exposeInterface, isObject, needArguments, toText } from './web-idl.js'
import { isEvent, stateOf, trustedEvent } from './events.js'
import { reportError } from './report-error.js'

let listenersOf
/** An AbortSignal registers the removal of a listener here: `abort.js` imports this module, so it cannot be imported. */
let signals = { isSignal: () => false, isAborted: () => false, addAlgorithm: () => {} }
export const useSignals = (functions) => {
  signals = functions
}

const flatten = (options) => {
  if (!isObject(options)) return { capture: Boolean(options), once: false, passive: false }
  const { capture, once, passive, signal } = options
  if (signal !== undefined && !signals.isSignal(signal)) {
    throw new TypeError('"signal" must be an AbortSignal')
  }
  return { capture: Boolean(capture), once: Boolean(once), passive: Boolean(passive), signal }
}

const checkListener = (listener) => {
  if (listener === null || listener === undefined || isObject(listener)) return
  throw new TypeError('The listener must be a function, an object with "handleEvent" or null')
}

const indexOfListener = (listeners, type, callback, capture) => {
  for (let i = 0; i < listeners.length; i++) {
    const one = listeners[i]
    if (one.type === type && one.callback === callback && one.capture === capture) return i
  }
  return -1
}

export class EventTarget {
  // Most targets, such as the signal of a request, never have a listener.
  #listeners = undefined

  static {
    listenersOf = (target) => (target.#listeners ??= [])
  }

  addEventListener(type, callback, options = undefined) {
    const listeners = (this.#listeners ??= [])
    needArguments(arguments.length, 2, 'EventTarget.addEventListener')
    const name = toText(type)
    checkListener(callback)
    const { capture, once, passive, signal } = flatten(options)
    if (callback === null || callback === undefined) return
    if (signal !== undefined && signals.isAborted(signal)) return
    if (indexOfListener(listeners, name, callback, capture) !== -1) return
    listeners[listeners.length] = { type: name, callback, capture, once, passive, removed: false }
    if (signal !== undefined) {
      signals.addAlgorithm(signal, () => remove(listeners, name, callback, capture))
    }
  }

  removeEventListener(type, callback, options = undefined) {
    const listeners = (this.#listeners ??= [])
    needArguments(arguments.length, 2, 'EventTarget.removeEventListener')
    const name = toText(type)
    checkListener(callback)
    remove(
      listeners,
      name,
      callback,
      isObject(options) ? Boolean(options.capture) : Boolean(options),
    )
  }

  dispatchEvent(event) {
    const listeners = (this.#listeners ??= [])
    needArguments(arguments.length, 1, 'EventTarget.dispatchEvent')
    if (!isEvent(event)) {
      throw new TypeError('The event must be an Event')
    }
    const state = stateOf(event)
    if (state.dispatching) {
      throw new DOMException('The event is being dispatched already', 'InvalidStateError')
    }
    state.trusted = false
    return dispatch(this, listeners, event, state)
  }
}

function remove(listeners, type, callback, capture) {
  const at = indexOfListener(listeners, type, callback, capture)
  if (at === -1) return
  listeners[at].removed = true
  splice(listeners, at, 1)
}

function dispatch(target, listeners, event, state) {
  state.dispatching = true
  state.target = target
  state.currentTarget = target
  // A listener that is added during the dispatch does not run; one that is removed does not run either.
  const current = slice(listeners)
  for (let phase = 0; phase < 2; phase++) {
    const capture = phase === 0
    for (let i = 0; i < current.length && !state.immediatelyStopped; i++) {
      const listener = current[i]
      if (listener.type !== state.type || listener.capture !== capture || listener.removed) continue
      if (listener.once) remove(listeners, listener.type, listener.callback, capture)
      state.passive = listener.passive
      call(listener.callback, target, event)
      state.passive = false
    }
    if (state.propagationStopped) break
  }
  state.dispatching = false
  state.currentTarget = null
  state.propagationStopped = false
  state.immediatelyStopped = false
  return !state.canceled
}

function call(callback, target, event) {
  try {
    if (typeof callback === 'function') {
      applyTo(callback, target, [event])
      return
    }
    const { handleEvent } = callback
    if (typeof handleEvent !== 'function') throw new TypeError('"handleEvent" must be a function')
    applyTo(handleEvent, callback, [event])
  } catch (error) {
    reportError(error)
  }
}

/** Dispatches an event that the platform made. */
export function fire(target, type) {
  const listeners = listenersOf(target)
  if (listeners.length === 0) return
  const event = trustedEvent(type)
  dispatch(target, listeners, event, stateOf(event))
}

exposeInterface('EventTarget', EventTarget)
