// Promises, timers of the engine's own queue and asynchronous iteration: long chains instead of deep calls.
const N = 100_000
await settles('then chain', () => {
  let promise = Promise.resolve(0)
  for (let n = 0; n < N; n += 1) promise = promise.then((x) => x + 1)
  return promise
})
await settles('promises of promises', () => {
  let promise = Promise.resolve(0)
  for (let n = 0; n < N; n += 1) {
    const inner = promise
    promise = new Promise((resolve) => resolve(inner))
  }
  return promise
})
await settles('thenables of thenables', () => {
  let value = 1
  for (let n = 0; n < N; n += 1) {
    const inner = value
    value = { then: (resolve) => resolve(inner) }
  }
  return value
})
await settles('async functions in async functions, awaited', () => {
  let f = async () => 1
  for (let n = 0; n < N; n += 1) {
    const inner = f
    f = async () => {
      await null
      return inner()
    }
  }
  return f()
})
await settles('async functions in async functions', () => {
  let f = async () => 1
  for (let n = 0; n < N; n += 1) {
    const inner = f
    f = async () => inner()
  }
  return f()
})
await settles('Promise.all of many', () =>
  Promise.all(Array.from({ length: N }, (_, n) => Promise.resolve(n))).then((x) => x.length),
)
await settles('Promise.any of many', () =>
  Promise.any(Array.from({ length: 1000 }, (_, n) => Promise.reject(n))),
)
await settles('microtask flood', async () => {
  for (let n = 0; n < N; n += 1) await null
  return 'done'
})
await settles('microtask flood at once', async () => {
  let count = 0
  for (let n = 0; n < N; n += 1)
    void Promise.resolve().then(() => {
      count += 1
    })
  await null
  await null
  return count
})
await settles('async generator queue', async () => {
  const it = (async function* () {
    for (let n = 0; ; n += 1) yield n
  })()
  const all = Array.from({ length: 10_000 }, () => it.next())
  return (await all.at(-1)).value
})
await settles('async yield* chain', async () => {
  let inner = (async function* () {
    yield 1
  })()
  for (let n = 0; n < 2000; n += 1)
    inner = (async function* (it) {
      yield* it
    })(inner)
  return (await inner.next()).value
})
await settles('rejection chain', () => {
  let promise = Promise.reject(new Error('first'))
  for (let n = 0; n < N; n += 1) promise = promise.finally(() => {})
  return promise
})
await settles('Array.fromAsync', () =>
  Array.fromAsync(Array.from({ length: 10_000 }, (_, n) => n)).then((x) => x.length),
)
