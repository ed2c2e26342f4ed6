/** The worker threads: chooses one for each request, and repeats or fails the requests of a lost worker. */
import { HttpError } from '../http/http-error.ts'
import type { HttpRequest, HttpResponse } from '../http/messages.ts'
import { type InstanceCount, InstanceTotals } from '../telemetry/instance-counters.ts'
import { WARD } from '../wire/guest-cells.ts'
import { DELAYING_MS, SLOW_MS } from './computing-accounts.ts'
import { Crews, type CrewsOptions } from './crews.ts'
import { Flight, type FlightOptions, type FlightWatch } from './flight.ts'
import type { CallMessage, InnerCall } from './inner-call.ts'
import type { LostThreads } from './lost-threads.ts'
import { Places } from './places.ts'
import { Watchdog } from './watchdog.ts'
import {
  type Computed,
  type SharedSettings,
  WorkerThread,
  type WorkerThreadOptions,
} from './worker-thread.ts'

export interface PoolOptions extends Pick<
  WorkerThreadOptions,
  'onLog' | 'onAudit' | 'onAnswered' | 'onProblem'
> {
  settings: SharedSettings
  workers: number
  /** See {@link WorkerThreadOptions}. */
  program: string | undefined
  /** Bytes of a worker's JavaScript heap. */
  maxWorkerHeap: number
  /** Milliseconds a guest may keep its thread without waiting for anything. */
  maxBlockingMs: number
  /** Milliseconds a component that took a thread runs apart. See {@link Crews}. */
  quarantineMs: number
  requestTimeoutMs: number
  /** Ids of components that run beside the others, without instances. */
  beside: readonly string[]
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

/** Calls between workers that are under way; one more fails. */
const MAX_CALLS = 4000

/** Workers that may be lost while serving one request. Then it fails, because it may be the cause. */
const MAX_LOSSES = 4

export class Pool {
  readonly #options: PoolOptions
  readonly #crews: Crews
  readonly #watchdog: Watchdog
  readonly #totals: InstanceTotals | undefined
  /** The limit for all requests from outside, and one for each component: a request occupies an instance. */
  readonly #all: Places
  readonly #places = new Map<string, Places>()
  #settings: SharedSettings
  readonly #stops = new Int32Array(new SharedArrayBuffer(4))
  #ids = 0
  #requests = 0
  /** Of these, calls between workers. */
  #calls = 0
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
      spawn: (thread) => this.#spawn(thread),
      onChange: () => this.#sendAll(this.#crews.misplaced()),
      onProblem: (message) => options.onProblem({ component: 'host', message }),
      onQuarantine: (component, sender) =>
        options.onProblem({ component, message: quarantineMessage(sender, options.quarantineMs) }),
    })
    this.#watchdog = new Watchdog({
      limitMs: options.maxBlockingMs,
      workers: () => this.#crews.serving,
      onLooked: (silent) => {
        for (const worker of silent) this.#noteSilent(worker)
        this.#sendAll(this.#crews.relieve(silent))
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
   * @param sender who it comes from; empty if it is not known. What one sender's requests compute is added up.
   * @throws {HttpError} `connection-limit-reached` when too many run, `internal-error` when its worker was lost.
   */
  async dispatch(
    component: string,
    request: HttpRequest,
    watch?: FlightWatch,
    sender = '',
  ): Promise<HttpResponse> {
    if (this.#closed) {
      throw new HttpError('connection-limit-reached', 'the host is about to end', { begun: false })
    }
    const places = [this.#all, this.#placesOf(component)]
    // Beside the components, a follower takes 150 KB and no instance of 10 MB.
    const isLight = this.#options.beside.includes(component)
    const flight = this.#open({ component, request, watch, sender, places, isLight })
    if (await flight.enter()) {
      await flight.prepare()
      void this.#send(flight)
    } else flight.refuse()
    return flight.response
  }

  #open(
    options: Omit<FlightOptions, 'id' | 'timeoutMs' | 'onAudit' | 'onServed' | 'onOver'>,
  ): Flight {
    const { requestTimeoutMs: timeoutMs } = this.#options
    const isCall = options.inner !== undefined
    this.#requests++
    if (isCall) this.#calls++
    return new Flight({
      ...options,
      id: ++this.#ids,
      timeoutMs,
      onAudit: (line) => void this.#options.onAudit(line),
      onServed: ({ id }) => {
        for (const worker of this.#crews.serving) worker.flights.delete(id)
      },
      onOver: (over) => {
        this.#requests--
        if (isCall) this.#calls--
        over.leave()
      },
    })
  }

  /** A guest calls a component that does not run in its thread. */
  async #call(call: InnerCall, message: CallMessage, outer: Flight): Promise<void> {
    const { component, nth, origin, trace } = message
    const flight = this.#open({
      component,
      request: call.request,
      watch: undefined,
      sender: outer.sender,
      // Its request has a place, and its component counts its instances.
      places: [],
      inner: { outer, nth, origin, trace },
    })
    void call.follow(flight.response)
    if (this.#closed || this.#calls > MAX_CALLS) return flight.refuse()
    await flight.prepare()
    void this.#send(flight)
  }

  #noteSilent(worker: WorkerThread): void {
    if (worker.computed() < (worker.load > 1 ? DELAYING_MS : SLOW_MS)) return
    const { request, component } = worker.running
    const id = this.#componentId(component)
    // It is charged when its turn ends; until then no other request should begin such a call.
    if (request > 0 && id !== undefined) this.#crews.computes(id)
  }

  #note(worker: WorkerThread, message: Computed): void {
    const sender = worker.flights.get(message.request ?? 0)?.sender ?? ''
    if (message.type === 'exhausted') return this.#crews.exhausted(message.component, sender)
    const component = this.#componentId(message.component)
    if (component !== undefined) this.#crews.computed(worker, { component, sender, ms: message.ms })
  }

  #componentId(number: number): string | undefined {
    return this.#settings.programs[number]?.component.id
  }

  #sendAll(flights: readonly Flight[]): void {
    for (const flight of flights) void this.#send(flight)
  }

  /** Tells all components that the host stops, so that streams without an end come to one. See {@link saysStop}. */
  announceStop(): void {
    Atomics.store(this.#stops, 0, 1)
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
      places = new Places(this.#options.settings.maxInstances)
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
  #spawn({ warm, ward, wards }: Parameters<CrewsOptions['spawn']>[0]): WorkerThread {
    const { program, maxWorkerHeap, onLog, onAudit, onAnswered, onProblem, lost } = this.#options
    const counters = this.#totals?.open()
    const thread = new WorkerThread({
      settings: {
        ...this.#settings,
        ...{ ward, wards, stops: this.#stops },
        // The other wards have one worker, or few, for all calls of a component.
        ...(ward !== WARD.ordinary && { maxCalledInstances: this.#settings.maxInstances }),
      },
      warm,
      counters,
      program,
      maxWorkerHeap,
      onLog,
      onAudit,
      onAnswered,
      onProblem,
      lost,
      onLost: (worker, reason) => this.#lost(worker, reason),
      onCall: (call, message, outer) => void this.#call(call, message, outer),
      onComputed: (worker, message) => this.#note(worker, message),
    })
    void thread.exited.then(() => {
      if (counters) this.#totals?.close(counters)
    })
    return thread
  }

  #lost(worker: WorkerThread, reason: string): void {
    const lostAt = performance.now()
    const replaced = this.#crews.lost(worker)
    if (replaced === undefined) return
    const { request, component, nth } = worker.running
    const id = this.#componentId(component)
    const culprit = request > 0 && id !== undefined ? { component: id, nth } : undefined
    if (worker.isPreempted) return this.#repeatAll(worker)
    if (culprit) this.#crews.isolate(culprit.component)
    const path = worker.flights.get(request)?.path
    const again = `the worker of the request was lost: ${reason}; the request began again`
    const repeats = [...worker.flights.values()].map((flight) => {
      // The first guest of a request cannot be skipped, because it gives the answer.
      const itself =
        flight.id === request && culprit?.component === flight.component && culprit.nth === 0
      if (flight.id === request && culprit) flight.avoid(culprit)
      flight.losses++
      const component = flight.id === request ? culprit?.component : undefined
      const mayRepeat = !itself && flight.losses <= MAX_LOSSES
      return this.#repeat(flight, { again: mayRepeat ? again : undefined, reason, component })
    })
    void replaced.then(async () => {
      const replacedAfterMs = performance.now() - lostAt
      const repeated = (await Promise.all(repeats)).filter(Boolean).length
      this.#options.onWorkerLost({
        reason,
        component: culprit?.component,
        quarantined: culprit !== undefined && this.#crews.isIsolated(culprit.component),
        path,
        repeated,
        failed: repeats.length - repeated,
        replacedAfterMs,
      })
    })
  }

  /** Its requests have changed nothing, so no client notices that they begin again. */
  #repeatAll({ flights }: WorkerThread): void {
    const again = 'a component kept the thread; the request began again on another worker'
    for (const flight of flights.values()) {
      void this.#repeat(flight, { again, reason: 'its worker was needed' })
    }
  }

  /**
   * Sends a request of a lost worker again if its client does not notice, and otherwise fails it.
   *
   * @param how.again why its calls have ended; `undefined` if it must not be repeated. @returns whether it is sent again
   */
  async #repeat(
    flight: Flight,
    {
      again,
      reason,
      component,
    }: { again: string | undefined; reason: string; component?: string | undefined },
  ): Promise<boolean> {
    const isRepeated = again !== undefined && (await flight.again(again))
    if (isRepeated) void this.#send(flight)
    else flight.lose(reason, component)
    return isRepeated
  }
}

function quarantineMessage(sender: string | undefined, milliseconds: number): string {
  const calls = sender ? `its calls from "${sender}" run` : 'its requests run'
  const time = Number.isFinite(milliseconds)
    ? `for ${Math.round(milliseconds / 6000) / 10} minutes`
    : 'from now on'
  return (
    `has computed for seconds at a time without waiting: ${calls} on a worker of its own ${time}, so that ` +
    'other components are not delayed. Let it wait now and then, or lower compute_limit_ms in spin.toml'
  )
}
