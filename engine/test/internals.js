// Put before the cases `internal-*.js`, followed by the prelude: what the native part gives, made of JavaScript.
const ids = new Map()
const tagOf = (value) => (Error.isError(value) ? 'Error' : Object.prototype.toString.call(value))
globalThis.__ftl = {
  print: () => {},
  fetch: {},
  proxyTarget: () => undefined,
  classId: (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return 0
    const tag = tagOf(value)
    if (!ids.has(tag)) ids.set(tag, ids.size + 1)
    return ids.get(tag)
  },
}
// At build time the engine has no random numbers.
let seed = 1
Math.random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
