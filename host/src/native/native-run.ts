/** What one request of the native gateway has of the host, until it ends. */
import { HttpError } from '../http/http-error.ts'
import { Pipe } from '../http/pipe.ts'
import { currentGuest } from '../instance/current-guest.ts'
import type { Guest } from '../instance/guest.ts'
import type { GuestRequest } from '../instance/services.ts'
import type { Trap } from '../instance/trap.ts'
import type { KeyValueStore } from '../kv/key-value.ts'
import { VariableError } from '../variables/variable-error.ts'
import { NativeHeaders } from './headers.ts'
import {
  hasNoBody,
  type NativeRequestInit,
  NativeRequest,
  NativeResponse,
  Received,
} from './messages.ts'
import { type Outgoing, outgoing } from './outgoing.ts'
import { PipeSource } from './pipe-source.ts'

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

/** Something that must not outlive the request. */
type Stop = (reason: unknown) => void

export class NativeRun implements NativeHost {
  readonly #guest: Guest
  readonly #open = new Set<Stop>()
  readonly #works: Promise<unknown>[] = []
  #ended: Trap | undefined
  #onEnd: ((reason: Trap) => void) | undefined

  constructor(guest: Guest) {
    this.#guest = guest
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Whether something is to outlive the response. */
  get hasWork(): boolean {
    return this.#works.length > 0
  }

  /** The client's request. */
  received({ method, scheme, authority, path, headers, body }: GuestRequest): NativeRequest {
    const url = `${scheme}://${authority}${path}`
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const content = hasBody ? this.#reads(body) : null
    if (!hasBody) this.#open.add(() => body.cancel())
    return new NativeRequest(new Received(method, url, NativeHeaders.of(headers), content))
  }

  /** What `work` comes to, or why the request was ended before. */
  until<T>(work: Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#onEnd = reject
      work.then(resolve, reject)
    })
  }

  opened(stop: () => void): void {
    this.#open.add(stop)
  }

  /** Once all is done that was to outlive the response. */
  async worked(): Promise<void> {
    for (let work = this.#works.shift(); work; work = this.#works.shift()) {
      await this.until(work.catch((error: unknown) => void error))
    }
  }

  /** Nothing more happens for this request: what still waits for the host waits for ever, as in a component that was ended. */
  end(reason: Trap): void {
    if (this.#ended) return
    this.#ended = reason
    for (const stop of this.#open) stop(reason)
    this.#open.clear()
    this.#onEnd?.(reason)
    currentGuest.leave(this.#guest.id)
  }

  variable(name: string): string | undefined {
    this.#check()
    try {
      const value = this.#guest.services.variable(name)
      return value instanceof VariableError ? unset(value, name) : value
    } catch (error) {
      if (error instanceof VariableError) return unset(error, name)
      throw error
    }
  }

  openStore(label: string): KeyValueStore {
    this.#check()
    const store = this.#guest.services.openStore(label)
    return {
      get: (key) => this.#call(() => store.get(key)),
      set: (key, value) => this.#change(() => store.set(key, value)),
      setIf: (key, expected, value) => this.#change(() => store.setIf(key, expected, value)),
      delete: (key) => this.#change(() => store.delete(key)),
      exists: (key) => this.#call(() => store.exists(key)),
      keys: () => this.#call(() => store.keys()),
    }
  }

  async fetch(
    input: string | URL | NativeRequest,
    init?: NativeRequestInit,
  ): Promise<NativeResponse> {
    this.#check()
    const request = outgoing(input, init)
    const { signal } = request
    if (signal?.aborted) throw signal.reason
    const controller = new AbortController()
    const stop = (reason: unknown) => controller.abort(reason)
    this.#open.add(stop)
    try {
      const sent = { ...request, signal: controller.signal }
      const answer = this.#guest.services.outbound.send(sent, this.#guest)
      answer.then(
        ({ body }) => (this.#ended || signal?.aborted) && body.cancel(),
        () => undefined,
      )
      const { status, headers, body } = await this.waits(untilAborted(answer, signal, stop))
      const source = this.#reads(body)
      signal?.addEventListener('abort', () => source.abort(signal.reason), { once: true })
      const isWithout = hasNoBody(status)
      if (isWithout) source.cancel()
      return new NativeResponse(isWithout ? null : source, {
        status,
        headers: NativeHeaders.of(headers),
      })
    } catch (error) {
      throw failed(error, request)
    } finally {
      this.#open.delete(stop)
    }
  }

  now(): number {
    return this.#guest.services.now?.() ?? Date.now()
  }

  randomUUID(): string {
    const bytes = this.#guest.services.randomId?.()
    return bytes ? uuidOf(bytes) : crypto.randomUUID()
  }

  waitUntil(work: Promise<unknown>): void {
    this.#works.push(work)
  }

  /** Waits for the host: meanwhile, the thread works for others. */
  async waits<T>(work: Promise<T>): Promise<T> {
    const { id } = this.#guest
    currentGuest.leave(id)
    try {
      return await work
    } finally {
      // Not one promise for all: it would keep what waits for it.
      if (this.#ended) await new Promise(() => undefined)
      currentGuest.resume(id)
      // After what follows from it at once.
      process.nextTick(() => currentGuest.leave(id))
    }
  }

  #reads(pipe: Pipe): PipeSource {
    const stop = (reason: unknown) => source.abort(reason)
    const source = new PipeSource(
      pipe,
      (wait) => this.waits(wait),
      () => this.#open.delete(stop),
    )
    this.#open.add(stop)
    return source
  }

  #call<T>(work: () => T | Promise<T>): T | Promise<T> {
    this.#check()
    const result = work()
    return result instanceof Promise ? this.waits(result) : result
  }

  #change<T>(work: () => T | Promise<T>): T | Promise<T> {
    this.#guest.noteEffect()
    return this.#call(work)
  }

  #check(): void {
    if (this.#ended) throw this.#ended
  }
}

/** The work, or the reason of an abort at once: who was asked may take longer to end. */
function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | null,
  stop: (reason: unknown) => void,
): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => {
      stop(signal.reason)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort)
    const end = () => signal.removeEventListener('abort', abort)
    work.then(
      (result) => (end(), resolve(result)),
      (error: unknown) => (end(), reject(error as Error)),
    )
  })
}

/** As our engine words it. */
function failed(error: unknown, { scheme, authority }: Outgoing): unknown {
  if (!(error instanceof HttpError)) return error
  const message = `fetch failed: ${scheme}://${authority}: ${error.code}`
  return new TypeError(message, { cause: error })
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
