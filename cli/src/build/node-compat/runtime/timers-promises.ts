/** `node:timers/promises`. */
interface Options {
  signal?: AbortSignal
}

export function setTimeout<T>(ms = 1, value?: T, { signal }: Options = {}): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = globalThis.setTimeout(() => resolve(value), ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

export const setImmediate = <T>(value?: T, options?: Options): Promise<T | undefined> =>
  setTimeout(0, value, options)

export const scheduler = {
  wait: (ms: number, options?: Options): Promise<undefined> => setTimeout(ms, undefined, options),
  yield: (): Promise<undefined> => setTimeout(0),
}

export default { scheduler, setImmediate, setTimeout }
