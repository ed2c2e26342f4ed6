// Evaluated before testharness.js: what a test file expects of its global scope. `LOCATION` is put before it.
{
  const location = new URL(LOCATION)
  const names = 'href origin protocol host hostname port pathname search hash'.split(' ')
  globalThis.location = Object.fromEntries(names.map((name) => [name, location[name]]))
  globalThis.location.toString = () => location.href
  globalThis.GLOBAL = { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false }

  // The engine has no address of its own to resolve others against.
  const resolve = ([input, ...rest]) =>
    typeof input === 'string' && URL.canParse(input, location)
      ? [new URL(input, location).href, ...rest]
      : [input, ...rest]
  globalThis.fetch = new Proxy(fetch, {
    apply: (target, receiver, values) => Reflect.apply(target, receiver, resolve(values)),
  })
  globalThis.Request = new Proxy(Request, {
    construct: (target, values, made) => Reflect.construct(target, resolve(values), made),
  })
}
