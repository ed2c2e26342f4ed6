/** A module of Node that no component can have: it can be imported, and each use of it throws. */

/**
 * Libraries import modules at the top that they need for few functions, name a base class of them, or ask whether a
 * function is there. So only a call throws.
 *
 * @param hint what to use instead.
 */
export function stubModule(name: string, hint: string): string {
  return `const fail = (what) => {
  throw Error(what + ' is not available in a component. ' + ${JSON.stringify(hint)})
}
const member = (what) => new Proxy(function () {}, {
  get: (target, key) => key in target ? target[key] : typeof key === 'symbol' ? undefined : of(target, what, key),
  apply: () => fail(what),
  construct: () => fail(what),
})
const members = new WeakMap()
function of(target, what, key) {
  let known = members.get(target)
  if (!known) members.set(target, known = Object.create(null))
  return known[key] ??= member(what + '.' + key)
}
const target = Object.create(null)
const module_ = Object.create(new Proxy(target, {
  get: (_, key) => typeof key === 'symbol' || key === '__esModule' || key === 'then' ? undefined
    : key === 'default' ? module_ : of(target, ${JSON.stringify(`node:${name}`)}, key),
  has: () => false,
}))
module.exports = module_
`
}
