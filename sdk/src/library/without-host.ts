/**
 * Some of what only a host can give (chance, and the time since its start) ends the build of a component that asks for
 * it: no exception can be caught. And a promise that is rejected in the build is reported by every request. So here
 * stand-ins answer instead.
 */

/** Runs `work` with stand-ins, which are gone when it has settled. */
export async function withoutHost(work: () => Promise<void>): Promise<void> {
  const restore = [
    replace(Math, 'random', () => 0.5),
    replace(crypto, 'randomUUID', () => '00000000-0000-4000-8000-000000000000'),
    replace(crypto, 'getRandomValues', (array) => array),
    replace(performance, 'now', () => 0),
    replace(globalThis, 'fetch', () => new Promise<never>(() => undefined)),
    replace(globalThis, 'setTimeout', (() => 0) as never),
  ]
  try {
    await work()
  } finally {
    for (const undo of restore) undo()
  }
}

function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
  return () => {
    if (own) Object.defineProperty(target, name, own)
    else delete target[name]
  }
}
