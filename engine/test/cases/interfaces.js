/** What Web IDL wants of an interface: https://webidl.spec.whatwg.org/#js-interfaces */
const CLASSES = [
  ...['Crypto', 'CryptoKey', 'Headers', 'Request', 'Response', 'SubtleCrypto'],
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams'],
]
for (const name of CLASSES) {
  const constructor = globalThis[name]
  const own = (object, key) => Object.getOwnPropertyDescriptor(object, key)
  fact(`${name}: the global is not enumerable`, own(globalThis, name).enumerable, false)
  const members = Object.getOwnPropertyNames(constructor.prototype)
  fact(
    `${name}: members that are not enumerable`,
    members.filter((key) => !own(constructor.prototype, key).enumerable),
    ['constructor'],
  )
  const accessors = members.filter((key) => own(constructor.prototype, key).get)
  fact(
    `${name}: getters that have another name`,
    accessors.filter((key) => own(constructor.prototype, key).get.name !== `get ${key}`),
    [],
  )
  fact(
    `${name}: setters that have another name`,
    accessors.filter((key) => {
      const { set } = own(constructor.prototype, key)
      return set && set.name !== `set ${key}`
    }),
    [],
  )
}
const lengths = {
  Headers: 0,
  Request: 1,
  Response: 0,
  TextDecoder: 0,
  TextEncoder: 0,
  URL: 1,
  URLSearchParams: 0,
}
for (const [name, length] of Object.entries(lengths)) {
  fact(`${name}.length`, globalThis[name].length, length)
}
fact('performance', Object.prototype.toString.call(performance), '[object Performance]')
fact('performance is an EventTarget', performance instanceof EventTarget, true)
fact(
  'Performance cannot be constructed',
  thrown(() => new Performance()),
  'TypeError',
)
fact('performance.timeOrigin', typeof performance.timeOrigin, 'number')
fact('performance.toJSON', Object.keys(performance.toJSON()).includes('timeOrigin'), true)
