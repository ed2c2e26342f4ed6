/** Browsers have no asynchronous context: an answer with the id of another request then waits for the timeout. */
export class AsyncLocalStorage<T> {
  getStore(): T | undefined {
    return undefined
  }

  run<R>(_store: T, work: () => R): R {
    return work()
  }
}
