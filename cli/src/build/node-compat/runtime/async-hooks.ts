/** `node:async_hooks`: what runs in the scope of a resource; the engine cannot follow a promise. */
export class AsyncResource {
  readonly type: string
  constructor(type: string) {
    this.type = type
  }
  static bind<T extends (...rest: never[]) => unknown>(work: T): T {
    return work
  }
  bind<T extends (...rest: never[]) => unknown>(work: T): T {
    return work
  }
  runInAsyncScope<A extends unknown[], R>(work: (...rest: A) => R, self?: unknown, ...rest: A): R {
    return work.apply(self, rest)
  }
  emitDestroy(): this {
    return this
  }
  asyncId = (): number => 1
  triggerAsyncId = (): number => 0
}

/** Its value would be lost at the first `await`, so it is refused rather than wrong. */
export class AsyncLocalStorage {
  getStore(): undefined {
    return undefined
  }
  run(): never {
    throw new Error(
      'AsyncLocalStorage is not available in a component, whose engine does not follow promises. Pass the value as an argument',
    )
  }
  enterWith(): never {
    return this.run()
  }
  exit<R>(work: () => R): R {
    return work()
  }
  disable(): void {}
}

export const executionAsyncId = (): number => 1
export const triggerAsyncId = (): number => 0
export default { AsyncLocalStorage, AsyncResource, executionAsyncId, triggerAsyncId }
