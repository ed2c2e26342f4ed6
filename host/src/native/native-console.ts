/** What the native gateway prints, as lines of the request that it prints them for. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { inspect } from 'node:util'
import type { GuestOutput } from '../instance/guest-output.ts'
import type { LogStream } from '../wire/messages.ts'

/** Where the request prints that is served. */
export interface Printing {
  readonly output: GuestOutput
  /** A request that has ended prints nothing. */
  readonly run: { readonly hasEnded: boolean }
}

export const printing = new AsyncLocalStorage<Printing>()

const print =
  (stream: LogStream) =>
  (...values: unknown[]): void => {
    const store = printing.getStore()
    if (!store || store.run.hasEnded) return
    const text = values.map((value) => (typeof value === 'string' ? value : inspect(value)))
    store.output.streams[stream].write(Buffer.from(`${text.join(' ')}\n`))
  }

export const nativeConsole = Object.freeze({
  log: print('stdout'),
  info: print('stdout'),
  debug: print('stdout'),
  warn: print('stderr'),
  error: print('stderr'),
})
