/** One request of the native gateway, until it ends: what it waits for, and what must not outlive it. */
import { isBodyless } from '../http/followers.ts'
import type { Pipe } from '../http/pipe.ts'
import { currentGuest } from '../instance/current-guest.ts'
import type { Guest } from '../instance/guest.ts'
import type { GuestRequest } from '../instance/services.ts'
import { Trap } from '../instance/trap.ts'
import type { Turn } from './large-answers.ts'
import { NativeHeaders } from './headers.ts'
import { NativeRequest, Received } from './messages.ts'
import { PipeSource } from './pipe-source.ts'

/** Something that must not outlive the request. */
type Stop = (reason: unknown) => void

export class NativeRun {
  readonly #guest: Guest
  readonly #answers: Turn | undefined
  readonly #open = new Set<Stop>()
  readonly #works: Promise<unknown>[] = []
  #hasEnded = false
  #reason: Trap | undefined
  #onEnd: ((reason: Trap) => void) | undefined

  /** @param answers its turn to read large answers. @default it does not wait for one */
  constructor(guest: Guest, answers?: Turn) {
    this.#guest = guest
    this.#answers = answers
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether something is to outlive the response. */
  get hasWork(): boolean {
    return this.#works.length > 0
  }

  /** The client's request. */
  received({ method, scheme, authority, path, headers, body }: GuestRequest): NativeRequest {
    const url = `${scheme}://${authority}${path}`
    const hasBody = !isBodyless(method)
    const content = hasBody ? this.reads(body) : null
    if (!hasBody) this.#open.add(() => body.cancel())
    return new NativeRequest(new Received(method, url, NativeHeaders.of(headers), content))
  }

  /** What `work` comes to, or why the request was ended before. */
  until<T>(work: Promise<T>): Promise<T> {
    if (this.#hasEnded) return Promise.reject(this.#why())
    return new Promise((resolve, reject) => {
      this.#onEnd = reject
      work.then((result) => {
        this.#onEnd = undefined
        resolve(result)
      }, reject)
    })
  }

  opened(stop: Stop): void {
    this.#open.add(stop)
  }

  /** It has ended by itself. */
  closed(stop: Stop): void {
    this.#open.delete(stop)
  }

  /** The response does not wait for this work, and the end of the request does. */
  outlives(work: Promise<unknown>): void {
    this.#works.push(work)
  }

  /** Once all is done that was to outlive the response. */
  async worked(): Promise<void> {
    for (let work = this.#works.shift(); work; work = this.#works.shift()) {
      await this.until(work.catch((error: unknown) => void error))
    }
  }

  /**
   * Nothing more happens for this request: what still waits for the host waits for ever, as in a component that was ended.
   *
   * @param reason @default it has ended by itself
   */
  end(reason?: Trap): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#reason = reason
    this.#answers?.end()
    for (const stop of this.#open) stop(this.#why())
    this.#open.clear()
    this.#onEnd?.(this.#why())
    currentGuest.leave(this.#guest.id)
  }

  // Made when it is asked for: an error notes its stack, and nothing asks at the end of a usual request.
  #why(): Trap {
    return (this.#reason ??= new Trap('its request has ended'))
  }

  /** Waits for the host: meanwhile, the thread works for others. */
  async waits<T>(work: Promise<T>): Promise<T> {
    const { id } = this.#guest
    currentGuest.leave(id)
    try {
      return await work
    } finally {
      // Not one promise for all: it would keep what waits for it.
      if (this.#hasEnded) await new Promise(() => undefined)
      currentGuest.resume(id)
      // After what follows from it at once.
      process.nextTick(() => currentGuest.leave(id))
    }
  }

  /** What is read of a body, at most until the end of the request. */
  reads(pipe: Pipe, turn?: Turn): PipeSource {
    const stop = (reason: unknown) => source.abort(reason)
    const source = new PipeSource(
      pipe,
      (wait) => this.waits(wait),
      () => this.closed(stop),
      turn,
    )
    this.opened(stop)
    return source
  }

  /** The body of an answer. */
  readsAnswer(pipe: Pipe): PipeSource {
    return this.reads(pipe, this.#answers)
  }

  /** @throws {Trap} if the request has ended. */
  check(): void {
    if (this.#hasEnded) throw this.#why()
  }
}
