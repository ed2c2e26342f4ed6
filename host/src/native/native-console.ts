/** What the native gateway prints, as lines of the request that it prints them for. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { inspect } from 'node:util'
import type { GuestOutput } from '../instance/guest-output.ts'
import type { LogStream } from '../wire/messages.ts'

/** Of the request that is served. */
export const output = new AsyncLocalStorage<GuestOutput>()

const print =
  (stream: LogStream) =>
  (...values: unknown[]): void => {
    const text = values.map((value) => (typeof value === 'string' ? value : inspect(value)))
    output.getStore()?.streams[stream].write(Buffer.from(`${text.join(' ')}\n`))
  }

export const nativeConsole = Object.freeze({
  log: print('stdout'),
  info: print('stdout'),
  debug: print('stdout'),
  warn: print('stderr'),
  error: print('stderr'),
})
