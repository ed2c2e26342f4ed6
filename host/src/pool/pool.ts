/** The worker threads: chooses one for each request, and repeats or fails the requests of a lost worker. */
import { HttpError } from '../http/http-error.ts'
import type { HttpRequest, HttpResponse } from '../http/messages.ts'
import { type InstanceCount, InstanceTotals } from '../telemetry/instance-counters.ts'
import { Crews } from './crews.ts'
import { Flight, type FlightWatch } from './flight.ts'
import type { LostThreads } from './lost-threads.ts'
import { Places } from './places.ts'
import { Watchdog } from './watchdog.ts'
import { type SharedSettings, WorkerThread, type WorkerThreadOptions } from './worker-thread.ts'

export interface PoolOptions extends Pick<WorkerThreadOptions, 'onLog' | 'onAudit' | 'onProblem'> {
  settings: SharedSettings
  workers: number
  /** Bytes of a worker's JavaScript heap. */
  maxWorkerHeap: number
  /** Milliseconds a guest may keep its thread without waiting for anything. */
  maxBlockingMs: number
  /** Milliseconds a component that took a thread runs apart. See {@link Crews}. */
  quarantineMs: number
  requestTimeoutMs: number
  maxRequests: number
  onWorkerLost: (event: WorkerLost) => void
  /** Whether instances are counted. See {@link Pool.instances}. */
  counting: boolean
  /** Shared by the pools of a host. */
  lost: LostThreads
}

/** A worker thread was terminated, or ended by itself, and another one replaced it. */
export interface WorkerLost {
  reason: string
  /** The component that was running on the thread, if any. */
  component: string | undefined
  /** Path of the request from outside that the component worked for. */
  path: string | undefined
  /** Its requests now run on a worker of their own. */
  quarantined: boolean
  /** Requests that were sent again without their clients noticing. */
  repeated: number
  /** Requests that were answered with an error, or cut off. */
  failed: number
  /** Milliseconds from the loss until the next worker could serve. */
  replacedAfterMs: number
}

/** Workers that may be lost while serving one request. Then it fails, because it may be the cause. */
const MAX_LOSSES = 4

export class Pool {
  readonly #options: PoolOptions
  readonly #crews: Crews
  readonly #watchdog: Watchdog
  readonly #totals: InstanceTotals | undefined
  /** The limit for all requests from outside, and one per component: each request occupies an instance. */
  readonly #all: Places
  readonly #places = new Map<string, Places>()
  #settings: SharedSettings
  #ids = 0
  #requests = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#settings = options.settings
    this.#all = new Places(options.maxRequests)
    if (options.counting) {
      this.#totals = new InstanceTotals(this.#settings.programs.map(({ component: { id } }) => id))
    }
    this.#crews = new Crews({
      workers: options.workers,
      quarantineMs: options.quarantineMs,
      components: this.#settings.programs.map(({ component }) => component),
      spawn: ({ warm, quarantine }) => this.#spawn(warm, quarantine),
      onProblem: (message) => options.onProblem({ component: 'host', message }),
    })
    this.#watchdog = new Watchdog({
      limitMs: options.maxBlockingMs,
      workers: () => this.#crews.serving,
      onLooked: (silent) => {
        for (const moved of this.#crews.relieve(silent)) void this.#send(moved)
      },
    })
  }

  /** @throws {Error} with the reason when a worker cannot serve. */
  async start(): Promise<void> {
    await this.#crews.start()
    this.#watchdog.start()
  }

  /** Requests that have not ended; work may go on after the answer. */
  get running(): number {
    return this.#requests
  }

  /** Instances of each component in all workers; empty without {@link PoolOptions.counting}. */
  get instances(): readonly ({ component: string } & InstanceCount)[] {
    return this.#totals?.read() ?? []
  }

  /** Sends all workers the address at which the application listens. */
  listensAt(self: { host: string; port: number }): void {
    this.#settings = { ...this.#settings, self }
    this.#crews.forEach((worker) => worker.post({ type: 'self', ...self }))
  }

  /**
   * Sends a request to a worker.
   *
   * @param watch receives its progress.
   * @throws {HttpError} `connection-limit-reached` when too many run, `internal-error` when its worker was lost.
   */
  async dispatch(
    component: string,
    request: HttpRequest,
    watch?: FlightWatch,
  ): Promise<HttpResponse> {
    if (this.#closed) {
      throw new HttpError('connection-limit-reached', 'the host is about to end', { begun: false })
    }
    const flight = new Flight({
      id: ++this.#ids,
      component,
      request,
      watch,
      timeoutMs: this.#options.requestTimeoutMs,
      places: [this.#all, this.#placesOf(component)],
      onAudit: (line) => void this.#options.onAudit(line),
      onOver: (over) => {
        this.#requests--
        over.leave()
        for (const worker of this.#crews.serving) worker.flights.delete(over.id)
      },
    })
    this.#requests++
    if (await flight.enter()) {
      await flight.prepare()
      void this.#send(flight)
    } else flight.refuse()
    return flight.response
  }

  /** Frees what only new requests would need. Called repeatedly while the last requests run. */
  endIdle(): void {
    this.#crews.endIdle()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#watchdog.stop()
    for (const { flights } of this.#crews.serving) {
      for (const flight of [...flights.values()]) flight.lose('the host ends')
    }
    await this.#crews.close()
  }

  #placesOf(component: string): Places {
    let places = this.#places.get(component)
    if (places === undefined) {
      const { settings, workers } = this.#options
      places = new Places(settings.maxInstances * workers)
      this.#places.set(component, places)
    }
    return places
  }

  async #send(flight: Flight): Promise<void> {
    let serving = this.#crews.servingFor(flight)
    while (serving.length === 0 && !this.#closed) {
      await this.#crews.ready(flight)
      serving = this.#crews.servingFor(flight)
    }
    const worker = this.#watchdog.choose(serving)
    if (worker === undefined || this.#closed || !flight.waiting) return flight.lose()
    worker.carry(flight)
    flight.start(worker)
  }

  // A spare worker may wait for hours, so it is not warm: it makes no instances before it has work.
  #spawn(warm: boolean, quarantine: readonly string[]): WorkerThread {
    const { maxWorkerHeap, onLog, onAudit, onProblem, lost } = this.#options
    const counters = this.#totals?.open()
    const thread = new WorkerThread({
      settings: { ...this.#settings, quarantine },
      warm,
      counters,
      maxWorkerHeap,
      onLog,
      onAudit,
      onProblem,
      lost,
      onLost: (worker, reason) => this.#lost(worker, reason),
      onMove: (worker, flight) => this.#move(worker, flight),
    })
    void thread.exited.then(() => {
      if (counters) this.#totals?.close(counters)
    })
    return thread
  }

  #move(worker: WorkerThread, flight: Flight): void {
    // It has failed meanwhile, and its guests have ended: `done` follows.
    if (!flight.repeatable) return
    worker.flights.delete(flight.id)
    flight.apart = true
    flight.again()
    void this.#send(flight)
  }

  #lost(worker: WorkerThread, reason: string): void {
    const lostAt = performance.now()
    const replaced = this.#crews.lost(worker)
    if (replaced === undefined) return
    const { request, component, nth } = worker.running
    const id = this.#settings.programs[component]?.component.id
    const culprit = request > 0 && id !== undefined ? { component: id, nth } : undefined
    if (culprit) this.#crews.isolate(culprit.component)
    const path = worker.flights.get(request)?.path
    let repeated = 0
    const flights = [...worker.flights.values()]
    for (const flight of flights) {
      // The first guest of a request cannot be skipped, because it gives the answer.
      const itself =
        flight.id === request && culprit?.component === flight.component && culprit.nth === 0
      if (flight.id === request && culprit) flight.avoid(culprit)
      flight.losses++
      if (!itself && flight.losses <= MAX_LOSSES && flight.repeatable) {
        repeated++
        flight.again(`the worker of the request was lost: ${reason}; the request began again`)
        void this.#send(flight)
      } else flight.lose(reason, flight.id === request ? culprit?.component : undefined)
    }
    void replaced.then(() =>
      this.#options.onWorkerLost({
        reason,
        component: culprit?.component,
        quarantined: culprit !== undefined && this.#crews.isIsolated(culprit.component),
        path,
        repeated,
        failed: flights.length - repeated,
        replacedAfterMs: performance.now() - lostAt,
      }),
    )
  }
}
