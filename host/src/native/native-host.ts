/** What the code of the native gateway has of the host while it serves one request. */
import type { Guest } from '../instance/guest.ts'
import type { KeyValueStore } from '../kv/key-value.ts'
import { VariableError } from '../variables/variable-error.ts'
import type { NativeRequest, NativeRequestInit, NativeResponse } from './messages.ts'
import { nativeFetch } from './native-fetch.ts'
import type { NativeRun } from './native-run.ts'

/** `NativeHost` of ftl-platform/native. */
export interface NativeHost {
  variable(name: string): string | undefined
  openStore(label: string): KeyValueStore
  fetch(input: string | URL | NativeRequest, init?: NativeRequestInit): Promise<NativeResponse>
  now(): number
  randomUUID(): string
  waitUntil(work: Promise<unknown>): void
}

const { crypto } = globalThis

/** Each function fails once the request has ended. */
export function nativeHost(run: NativeRun, guest: Guest): NativeHost {
  const { services } = guest
  return {
    variable(name) {
      run.check()
      try {
        const value = services.variable(name)
        return value instanceof VariableError ? unset(value, name) : value
      } catch (error) {
        if (error instanceof VariableError) return unset(error, name)
        throw error
      }
    },
    openStore(label) {
      run.check()
      return storeOf(run, guest, services.openStore(label))
    },
    async fetch(input, init) {
      run.check()
      return nativeFetch(run, guest, input, init)
    },
    now: () => services.now?.() ?? Date.now(),
    randomUUID() {
      const bytes = services.randomId?.()
      return bytes ? uuidOf(bytes) : crypto.randomUUID()
    },
    waitUntil: (work) => run.outlives(work),
  }
}

function storeOf(run: NativeRun, guest: Guest, store: KeyValueStore): KeyValueStore {
  function call<T>(work: () => T | Promise<T>): T | Promise<T> {
    run.check()
    const result = work()
    return result instanceof Promise ? run.waits(result) : result
  }
  function change<T>(work: () => T | Promise<T>): T | Promise<T> {
    guest.noteEffect()
    return call(work)
  }
  return {
    get: (key) => call(() => store.get(key)),
    set: (key, value) => change(() => store.set(key, value)),
    setIf: (key, expected, value) => change(() => store.setIf(key, expected, value)),
    delete: (key) => change(() => store.delete(key)),
    exists: (key) => call(() => store.exists(key)),
    keys: () => call(() => store.keys()),
  }
}

function unset({ code }: VariableError, name: string): undefined {
  // The code must not go on as if the variable were not set.
  if (code === 'provider' || code === 'other') {
    throw new Error(`The variable "${name}" cannot be read from its provider.`)
  }
}

/** Version 4. */
function uuidOf(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes)
  digits[6] = ((digits[6] ?? 0) & 0x0f) | 0x40
  digits[8] = ((digits[8] ?? 0) & 0x3f) | 0x80
  return digits.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
