/** `node:diagnostics_channel` without a subscriber: libraries publish into it, and nothing listens. */
class Channel {
  readonly hasSubscribers = false
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  publish(): void {}
  subscribe(): void {}
  unsubscribe(): boolean {
    return false
  }
  bindStore(): void {}
  unbindStore(): boolean {
    return false
  }
  runStores<R>(_data: unknown, work: () => R): R {
    return work()
  }
}

type Work = (...rest: unknown[]) => unknown

class TracingChannel {
  readonly hasSubscribers = false
  readonly start = new Channel('start')
  readonly end = new Channel('end')
  readonly asyncStart = new Channel('asyncStart')
  readonly asyncEnd = new Channel('asyncEnd')
  readonly error = new Channel('error')
  subscribe(): void {}
  unsubscribe(): boolean {
    return false
  }
  traceSync(work: Work, _context: unknown, self: unknown, ...rest: unknown[]): unknown {
    return work.apply(self, rest)
  }
  tracePromise(work: Work, _context: unknown, self: unknown, ...rest: unknown[]): unknown {
    return work.apply(self, rest)
  }
  traceCallback(work: Work, _place: number, _context: unknown, self: unknown, ...rest: unknown[]) {
    return work.apply(self, rest)
  }
}

export const channel = (name: string): Channel => new Channel(name)
export const tracingChannel = (): TracingChannel => new TracingChannel()
export const hasSubscribers = (): boolean => false
export const subscribe = (): void => {}
export const unsubscribe = (): boolean => false
export { Channel }
export default { Channel, channel, hasSubscribers, subscribe, tracingChannel, unsubscribe }
