/** A loaded component: gives each request an instance in its first state. */
import type { InstanceCounters } from '../telemetry/instance-counters.ts'
import type { CallTree } from './call-tree.ts'
import { discarded } from './discarded.ts'
import { isFollower } from '../http/followers.ts'
import { HttpError } from '../http/http-error.ts'
import type { GuestInstance } from './instance.ts'
import { Pipe } from '../http/pipe.ts'
import { filled } from '../wire/whole-body.ts'
import type { GuestRequest } from './services.ts'
import type { HttpResponse } from '../http/messages.ts'

/** Milliseconds between two looks for idle instances that are no longer needed. */
const TRIM_MS = 2000

/** Instances that are let go at once: to unmap and collect a hundred stops all threads for a second. */
const TRIM_AT_ONCE = 8

/** Idle instances that are kept for ever: the next request finds one. */
const KEEP_IDLE = 1

/** An instance that grew by more is not kept: its memory cannot shrink, and all that was written is cleared. Bytes. */
const KEEP_GROWTH = 24 * 1024 * 1024

export interface ComponentOptions {
  /** Makes an instance that has not run yet. */
  create: () => GuestInstance
  /** Requests served at once; each takes 8 GB of address space, and a process has about 10 TB. */
  maxInstances: number
  /** The same, beyond which no call of another component is served. @default maxInstances */
  maxCalledInstances?: number
  /** Whether requests that follow something are not counted once they are answered, because they take little. @default false */
  countsNoFollowers?: boolean
  /** Milliseconds a guest may go on when its caller left before it had the whole response. */
  abandonedMs: number
  /** @param tree of the request that the message is about. */
  onError: (message: string, tree?: CallTree) => void
  /** What a failed guest has said last, for the body of its answer. @default the body is empty */
  lastWords?: (tree: CallTree | undefined) => string | undefined
  /** Counts instances, where somebody wants to know. */
  counters?: Pick<InstanceCounters, 'created' | 'reset' | 'discarded' | 'holds'>
}

function failedResponse(message: string | undefined): HttpResponse {
  if (message === undefined) return { status: 500, headers: [], body: Pipe.empty() }
  const body = new TextEncoder().encode(JSON.stringify({ error: { message } }))
  return { status: 500, headers: [], body: filled(new Pipe(), body) }
}

export class Component {
  readonly #options: ComponentOptions
  readonly #clean: GuestInstance[] = []
  readonly #used: GuestInstance[] = []
  readonly #running = new Set<GuestInstance>()
  /** Of these, those that are not counted. */
  readonly #followers = new Set<GuestInstance>()
  /** Bytes of memory of an instance that has not run yet. */
  #firstBytes = 0
  /** Bytes of each instance's memory, as they were counted. */
  readonly #weights = new WeakMap<GuestInstance, number>()
  #cleaning = false
  #closed = false
  #trimmer: NodeJS.Timeout | undefined
  /** The fewest idle instances there were since the last look: so many were not needed. */
  #leastIdle = 0

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
  async handle(request: GuestRequest): Promise<HttpResponse> {
    const { maxInstances, maxCalledInstances = maxInstances } = this.#options
    const max = request.depth === 0 ? maxInstances : maxCalledInstances
    if (this.#closed || this.#running.size - this.#followers.size >= max) {
      throw new HttpError('connection-limit-reached', 'too many requests at once')
    }
    const { method, depth, tree, place, signal } = request
    const span = tree?.trace?.start(`execute_wasm_component ${place?.component}`, request.span, {
      attributes: { component_id: place?.component ?? '' },
    })
    const instance = this.#take()
    this.#running.add(instance)
    tree?.start(instance)
    const watch = new CallerWatch(instance, this.#options.abandonedMs)
    signal?.addEventListener('abort', watch.left)
    const ended = () => {
      this.#running.delete(instance)
      this.#followers.delete(instance)
      signal?.removeEventListener('abort', watch.left)
      watch.end()
      tree?.end(instance)
    }
    return new Promise((resolve) => {
      let answered = false
      let failure: string | undefined
      const respond = (response: HttpResponse) => {
        answered = true
        const { countsNoFollowers = false } = this.#options
        if (countsNoFollowers && depth === 0 && isFollower(method, response.headers)) {
          this.#followers.add(instance)
        }
        if (response.status >= 500) failure = `answered ${response.status}`
        response.body.whenCancelled(watch.left)
        // The engine answers so for a guest that it has ended; what a tool answers has a type.
        const isBare = response.status === 500 && response.headers.length === 0
        const words = isBare ? this.#options.lastWords?.(tree) : undefined
        if (words === undefined) return resolve(response)
        response.body.cancel()
        resolve(failedResponse(words))
      }
      const fail = (message: string) => {
        request.body.cancel()
        // A guest that was cut off by close fails in ways that mean nothing.
        if (!this.#closed) this.#options.onError(message, tree)
        if (!answered) resolve(failedResponse(this.#options.lastWords?.(tree)))
      }
      instance.run(span ? { ...request, span: span.id } : request, respond).then(
        (responded) => {
          if (!responded) fail((failure = 'ended without a response'))
          span?.end(failure)
          ended()
          this.#giveBack(instance)
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error)
          span?.end(message)
          ended()
          // The host ended it where it waited, so a reset makes it like new, as after a response.
          if (instance.wasAbandoned(error)) this.#giveBack(instance)
          else this.#discard(instance)
          fail(message)
        },
      )
    })
  }

  /** Ends every guest. */
  close(): void {
    this.#closed = true
    clearInterval(this.#trimmer)
    for (const instance of [...this.#running]) instance.abandon('the host closes')
    this.#running.clear()
    this.#followers.clear()
    this.#clean.length = 0
    this.#used.length = 0
  }

  #take(): GuestInstance {
    this.#leastIdle = Math.min(this.#leastIdle, Math.max(0, this.#idle - 1))
    const clean = this.#clean.pop()
    if (clean) return clean
    const used = this.#used.pop()
    if (!used) return this.#create()
    this.#reset(used)
    return used
  }

  #create(): GuestInstance {
    const instance = this.#options.create()
    this.#firstBytes = instance.memoryBytes
    this.#options.counters?.created()
    this.#weigh(instance)
    return instance
  }

  #reset(instance: GuestInstance): void {
    instance.reset?.()
    this.#options.counters?.reset()
  }

  #giveBack(instance: GuestInstance): void {
    this.#weigh(instance)
    const grown = instance.memoryBytes - this.#firstBytes
    if (instance.reset === undefined || grown > KEEP_GROWTH || this.#closed)
      return this.#discard(instance)
    this.#used.push(instance)
    this.#cleanLater()
    if (this.#idle > KEEP_IDLE) this.#trimLater()
  }

  get #idle(): number {
    return this.#clean.length + this.#used.length
  }

  // Without this, each component would keep the instances of a burst for ever, in each worker.
  #trimLater(): void {
    if (this.#trimmer) return
    this.#leastIdle = this.#idle
    this.#trimmer = setInterval(() => this.#trim(), TRIM_MS).unref()
  }

  #trim(): void {
    const spared = Math.min(this.#leastIdle, this.#idle) - KEEP_IDLE
    for (let nth = 0; nth < Math.min(spared, TRIM_AT_ONCE); nth++) {
      const instance = this.#used.pop() ?? this.#clean.pop()
      if (instance) this.#discard(instance)
    }
    this.#leastIdle = this.#idle
    if (this.#idle > KEEP_IDLE) return
    clearInterval(this.#trimmer)
    this.#trimmer = undefined
  }

  #discard(instance: GuestInstance): void {
    this.#options.counters?.discarded()
    this.#options.counters?.holds(-(this.#weights.get(instance) ?? 0))
    this.#weights.delete(instance)
    discarded.add(instance.memoryBytes)
  }

  #weigh(instance: GuestInstance): void {
    const { counters } = this.#options
    if (!counters) return
    const { memoryBytes } = instance
    const known = this.#weights.get(instance) ?? 0
    if (memoryBytes === known) return
    counters.holds(memoryBytes - known)
    this.#weights.set(instance, memoryBytes)
  }

  // After the response has left: a reset takes a quarter of a millisecond.
  #cleanLater(): void {
    if (this.#cleaning) return
    this.#cleaning = true
    setImmediate(() => {
      this.#cleaning = false
      const instance = this.#used.pop()
      if (instance === undefined) return
      this.#reset(instance)
      this.#clean.push(instance)
      if (this.#used.length > 0) this.#cleanLater()
    })
  }
}

/** Gives a guest some more time after its caller has left, because others may need the result of its work. */
class CallerWatch {
  readonly #instance: GuestInstance
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(instance: GuestInstance, milliseconds: number) {
    this.#instance = instance
    this.#milliseconds = milliseconds
  }

  readonly left = (): void => {
    // The instance may serve somebody else by now.
    if (this.#over) return
    const seconds = this.#milliseconds / 1000
    this.#timer ??= setTimeout(
      () => this.#instance.abandon(`was ended ${seconds} s after its caller had left`),
      this.#milliseconds,
    )
  }

  end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}
