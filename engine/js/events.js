/** Event, CustomEvent, ErrorEvent and PromiseRejectionEvent: https://dom.spec.whatwg.org/#interface-event */
import { defineProperty } from './primordials.js'
import { defineConstants, exposeInterface, needArguments, toDictionary, toText } from './web-idl.js'

const { performance } = globalThis

/** What the dispatch of an event reads and writes. */
export let stateOf
export let isEvent
/** An event that the platform makes, with `isTrusted`. */
let trusted = false
export function trustedEvent(type) {
  trusted = true
  try {
    return new Event(type)
  } finally {
    trusted = false
  }
}

// One function for all events: `isTrusted` is an own property of each event, which its object cannot redefine.
const isTrusted = {
  get isTrusted() {
    return stateOf(this).trusted
  },
}
const trustedProperty = {
  get: Object.getOwnPropertyDescriptor(isTrusted, 'isTrusted').get,
  enumerable: true,
  configurable: false,
}

export class Event {
  #state

  static {
    stateOf = (event) => event.#state
    isEvent = (value) => typeof value === 'object' && value !== null && #state in value
  }

  constructor(type, options = undefined) {
    const isTrustedEvent = trusted
    trusted = false
    needArguments(arguments.length, 1, 'Event constructor')
    const name = toText(type)
    const init = toDictionary(options, 'Event options')
    const bubbles = Boolean(init.bubbles)
    const cancelable = Boolean(init.cancelable)
    this.#state = {
      type: name,
      bubbles,
      cancelable,
      composed: Boolean(init.composed),
      trusted: isTrustedEvent,
      target: null,
      currentTarget: null,
      dispatching: false,
      passive: false,
      propagationStopped: false,
      immediatelyStopped: false,
      canceled: false,
      timeStamp: undefined,
    }
    defineProperty(this, 'isTrusted', trustedProperty)
  }

  get type() {
    return this.#state.type
  }
  get target() {
    return this.#state.target
  }
  get srcElement() {
    return this.#state.target
  }
  get currentTarget() {
    return this.#state.currentTarget
  }
  get eventPhase() {
    return this.#state.dispatching ? 2 : 0
  }
  get bubbles() {
    return this.#state.bubbles
  }
  get cancelable() {
    return this.#state.cancelable
  }
  get composed() {
    return this.#state.composed
  }
  get defaultPrevented() {
    return this.#state.canceled
  }
  get returnValue() {
    return !this.#state.canceled
  }
  set returnValue(value) {
    if (!value) cancel(this.#state)
  }
  get cancelBubble() {
    return this.#state.propagationStopped
  }
  set cancelBubble(value) {
    if (value) this.#state.propagationStopped = true
  }
  // Read late: an event that is made at build time must not ask the host for its clock.
  get timeStamp() {
    return (this.#state.timeStamp ??= performance.now())
  }
  composedPath() {
    const { dispatching, currentTarget } = this.#state
    return dispatching ? [currentTarget] : []
  }
  stopPropagation() {
    this.#state.propagationStopped = true
  }
  stopImmediatePropagation() {
    const state = this.#state
    state.propagationStopped = true
    state.immediatelyStopped = true
  }
  preventDefault() {
    cancel(this.#state)
  }
  initEvent(type, bubbles = false, cancelable = false) {
    needArguments(arguments.length, 1, 'Event.initEvent')
    const state = this.#state
    const name = toText(type)
    if (state.dispatching) return
    state.type = name
    state.bubbles = Boolean(bubbles)
    state.cancelable = Boolean(cancelable)
    state.trusted = false
    state.target = null
    state.canceled = false
    state.propagationStopped = false
    state.immediatelyStopped = false
  }
}

function cancel(state) {
  if (state.cancelable && !state.passive) state.canceled = true
}

class CustomEvent extends Event {
  #detail

  constructor(type, options = undefined) {
    needArguments(arguments.length, 1, 'CustomEvent constructor')
    super(type, options)
    const detail = options?.detail
    this.#detail = detail === undefined ? null : detail
  }
  get detail() {
    return this.#detail
  }
}

export class ErrorEvent extends Event {
  #init

  constructor(type, options = undefined) {
    needArguments(arguments.length, 1, 'ErrorEvent constructor')
    super(type, options)
    const init = options ?? {}
    const { message, filename, lineno, colno, error } = init
    this.#init = {
      message: message === undefined ? '' : toText(message),
      filename: filename === undefined ? '' : toText(filename),
      lineno: lineno >>> 0,
      colno: colno >>> 0,
      error,
    }
  }
  get message() {
    return this.#init.message
  }
  get filename() {
    return this.#init.filename
  }
  get lineno() {
    return this.#init.lineno
  }
  get colno() {
    return this.#init.colno
  }
  get error() {
    return this.#init.error
  }
}

class PromiseRejectionEvent extends Event {
  #promise
  #reason

  constructor(type, options) {
    needArguments(arguments.length, 2, 'PromiseRejectionEvent constructor')
    super(type, options)
    const { promise, reason } = toDictionary(options, 'PromiseRejectionEvent options')
    if (promise === null || (typeof promise !== 'object' && typeof promise !== 'function')) {
      throw new TypeError('"promise" of PromiseRejectionEvent options must be an object')
    }
    this.#promise = promise
    this.#reason = reason
  }
  get promise() {
    return this.#promise
  }
  get reason() {
    return this.#reason
  }
}

exposeInterface('Event', Event)
defineConstants(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 })
exposeInterface('CustomEvent', CustomEvent)
exposeInterface('ErrorEvent', ErrorEvent)
exposeInterface('PromiseRejectionEvent', PromiseRejectionEvent)
