/** What only our own packages use, which do without it in Node and with another engine. */
import { keepShapes, variable } from './host.js'
import { define } from './web-idl.js'

// The value of a variable, or undefined: an error for each that is missing takes longer than the rest of a small request.
define(globalThis, Symbol.for('ftl.variable'), variable)

// Between keepShapes(true) and keepShapes(false), while a component is built, nothing that describes an object is thrown
// away, so that a request need not make it again.
define(globalThis, Symbol.for('ftl.keepShapes'), keepShapes)
