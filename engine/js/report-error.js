/** Errors that no caller can catch go to the log. https://html.spec.whatwg.org/#dom-reporterror */
import { applyTo } from './primordials.js'
import { exposeOperation, needArguments } from './web-idl.js'
import { print } from './host.js'
import { inspect } from './inspect.js'

export function reportError(error) {
  needArguments(arguments.length, 1, 'reportError')
  print('error', `Uncaught ${inspect(error)}`)
}

const nativeQueue = globalThis.queueMicrotask

function queueMicrotask(callback) {
  needArguments(arguments.length, 1, 'queueMicrotask')
  if (typeof callback !== 'function') throw new TypeError('The callback must be a function')
  nativeQueue(() => {
    try {
      applyTo(callback, undefined, [])
    } catch (error) {
      reportError(error)
    }
  })
}

exposeOperation('reportError', reportError)
exposeOperation('queueMicrotask', queueMicrotask)
