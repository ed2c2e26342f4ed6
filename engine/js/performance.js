/** https://w3c.github.io/hr-time/#sec-performance */
import { EventTarget } from './event-target.js'
import { define, exposeInterface, illegalConstructor } from './web-idl.js'

const native = globalThis.performance
const { Date } = globalThis
const secret = {}
let origin

class Performance extends EventTarget {
  constructor() {
    if (arguments[0] !== secret) throw illegalConstructor()
    super()
  }
  now() {
    return native.now()
  }
  get timeOrigin() {
    const now = native.now()
    // While a component is built the clock stands, and the requests have another origin.
    return now === 0 ? Date.now() : (origin ??= Date.now() - now)
  }
  toJSON() {
    return { timeOrigin: this.timeOrigin }
  }
}

exposeInterface('Performance', Performance)
define(globalThis, 'performance', new Performance(secret), true)
