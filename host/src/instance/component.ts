/**
 * A loaded component: gives each request an instance in its first state.
 *
 * @module
 */
import { HttpError } from './http-error.ts'
import { Instance, type Program } from './instance.ts'
import { Pipe } from './pipe.ts'
import type { ComponentServices, GuestRequest, GuestResponse } from './services.ts'

/** Instances kept for later once they are idle; each holds 10 to 20 MB. */
const IDLE_LIMIT = 16

/** An instance that grew beyond this is not kept: its memory cannot shrink. Bytes. */
const KEEP_LIMIT = 64 * 1024 * 1024

export interface ComponentOptions {
  program: Program
  services: ComponentServices
  /** Requests served at once; each takes 8 GB of address space, and a process has about 10 TB. */
  maxInstances: number
  onError: (message: string) => void
}

export class Component {
  readonly #options: ComponentOptions
  readonly #clean: Instance[] = []
  readonly #used: Instance[] = []
  readonly #running = new Set<Instance>()
  #cleaning = false
  #closed = false

  constructor(options: ComponentOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running.size
  }

  /** Makes an instance ahead of the first request; it shows early that the module can be instantiated. */
  warm(): void {
    this.#clean.push(this.#create())
  }

  /**
   * Serves one request. A guest that fails answers 500 with an empty body, as on Spin.
   *
   * @throws {HttpError} `connection-limit-reached` when too many requests run.
   */
  async handle(request: GuestRequest): Promise<GuestResponse> {
    if (this.#closed || this.#running.size >= this.#options.maxInstances) {
      throw new HttpError('connection-limit-reached', 'too many requests at once')
    }
    const instance = this.#take()
    this.#running.add(instance)
    return new Promise((resolve) => {
      let answered = false
      const respond = (response: GuestResponse) => {
        answered = true
        resolve(response)
      }
      const fail = (message: string) => {
        request.body.cancel()
        // A guest that was cut off by close fails in ways that mean nothing.
        if (!this.#closed) this.#options.onError(message)
        if (!answered) resolve({ status: 500, headers: [], body: Pipe.empty() })
      }
      instance.run(request, respond).then(
        (responded) => {
          if (!responded) fail('ended without a response')
          this.#giveBack(instance)
        },
        (error: unknown) => {
          this.#running.delete(instance)
          fail(error instanceof Error ? error.message : String(error))
        },
      )
    })
  }

  /** Drops every instance; guests that still run are not woken again. */
  close(): void {
    this.#closed = true
    for (const instance of this.#running) instance.abandon()
    this.#running.clear()
    this.#clean.length = 0
    this.#used.length = 0
  }

  #create(): Instance {
    return new Instance(this.#options.program, this.#options.services)
  }

  #take(): Instance {
    const clean = this.#clean.pop()
    if (clean) return clean
    const used = this.#used.pop()
    if (!used) return this.#create()
    used.reset()
    return used
  }

  #giveBack(instance: Instance): void {
    this.#running.delete(instance)
    const { program } = this.#options
    const idle = this.#clean.length + this.#used.length
    const keep = program.resettable && instance.memoryBytes <= KEEP_LIMIT && idle < IDLE_LIMIT
    if (!keep || this.#closed) return
    this.#used.push(instance)
    this.#cleanLater()
  }

  // After the response has left: a reset takes a quarter of a millisecond.
  #cleanLater(): void {
    if (this.#cleaning) return
    this.#cleaning = true
    setImmediate(() => {
      this.#cleaning = false
      const instance = this.#used.pop()
      if (instance === undefined) return
      instance.reset()
      this.#clean.push(instance)
      if (this.#used.length > 0) this.#cleanLater()
    })
  }
}
