/** The workers of a pool: those that serve any component, and one for the components in quarantine. */
import { type ComponentManifest, isGateway } from '../manifest/manifest.ts'
import { Crew } from './crew.ts'
import type { Flight } from './flight.ts'
import { Quarantine } from './quarantine.ts'
import type { WorkerThread } from './worker-thread.ts'

export interface CrewsOptions {
  /** Workers that serve any component. */
  workers: number
  /** Milliseconds a component stays in quarantine. See {@link Quarantine}. */
  quarantineMs: number
  /** Of the application. */
  components: readonly Pick<ComponentManifest, 'id' | 'variables'>[]
  /**
   * Starts a thread.
   *
   * @param quarantine components that requests may not call there: they are moved to the worker of the quarantine.
   */
  spawn: (options: { warm: boolean; quarantine: readonly string[] }) => WorkerThread
  /** A worker could not start; it is tried again. */
  onProblem: (message: string) => void
}

export class Crews {
  readonly #options: CrewsOptions
  readonly #quarantine: Quarantine
  readonly #ordinary: Crew<WorkerThread>
  /** Has a worker while a component is in quarantine. */
  readonly #apart: Crew<WorkerThread>

  constructor(options: CrewsOptions) {
    const { workers, quarantineMs, spawn, onProblem } = options
    this.#options = options
    this.#ordinary = new Crew({
      size: workers,
      spawn: ({ warm }) => spawn({ warm, quarantine: this.#quarantine.components }),
      onProblem,
    })
    // It moves no request: what calls a component in quarantine has come to the right worker.
    this.#apart = new Crew({
      size: 0,
      spare: false,
      spawn: () => spawn({ warm: false, quarantine: [] }),
      onProblem,
    })
    this.#quarantine = new Quarantine({
      milliseconds: quarantineMs,
      onChange: (components) => {
        this.#ordinary.forEach((worker) => worker.post({ type: 'quarantine', components }))
        this.#apart.resize(Math.min(components.length, 1))
      },
    })
  }

  /** @throws {Error} what keeps a worker from serving. */
  start(): Promise<void> {
    return this.#ordinary.start()
  }

  get serving(): readonly WorkerThread[] {
    const { serving } = this.#apart
    // This runs with every request, and there is rarely a quarantine.
    return serving.length === 0 ? this.#ordinary.serving : [...this.#ordinary.serving, ...serving]
  }

  /** Tells every thread, also those that do not serve yet. */
  forEach(tell: (worker: WorkerThread) => void): void {
    this.#ordinary.forEach(tell)
    this.#apart.forEach(tell)
  }

  /** See {@link Crew.endIdle}. The worker of the quarantine has its own end. */
  endIdle(): void {
    this.#ordinary.endIdle()
  }

  /** The workers that may serve a request; none while they start. See {@link ready}. */
  servingFor(flight: Flight): readonly WorkerThread[] {
    return this.#crewFor(flight).serving
  }

  /** Settles once a worker that may serve the request serves, or another crew may be responsible for it. */
  ready(flight: Flight): Promise<void> {
    return this.#crewFor(flight).ready()
  }

  /** A thread has ended. @returns when another has taken its place; `undefined` when it did not serve. */
  lost(worker: WorkerThread): Promise<void> | undefined {
    return this.#ordinary.lost(worker) ?? this.#apart.lost(worker)
  }

  /**
   * A guest of `component` took a thread: its requests run apart from now on. A component through which all requests
   * go does not: it would take them all with it.
   */
  isolate(component: string): void {
    const { components } = this.#options
    const found = components.find(({ id }) => id === component)
    if (found === undefined || components.length === 1 || isGateway(found)) return
    this.#quarantine.add(component)
  }

  isIsolated(component: string): boolean {
    return this.#quarantine.has(component)
  }

  /**
   * Adapts the number of workers, and withdraws the requests that have not begun from those whose guest computes: it
   * may compute for `maxBlockingMs`, and they would wait that long.
   *
   * @returns the requests to send again. Those of the quarantine stay, because it has one worker.
   */
  relieve(silent: readonly WorkerThread[]): Flight[] {
    this.#apart.release()
    const computing = silent.filter((worker) => this.#ordinary.serving.includes(worker))
    if (computing.length === 0) {
      this.#ordinary.release()
      return []
    }
    const moved = computing.flatMap((worker) => worker.withdraw())
    if (moved.length > 0 && computing.length >= this.#ordinary.serving.length) {
      this.#ordinary.reinforce()
    }
    return moved
  }

  async close(): Promise<void> {
    this.#quarantine.close()
    await Promise.all([this.#ordinary.close(), this.#apart.close()])
  }

  #crewFor({ apart, component }: Flight): Crew<WorkerThread> {
    const elsewhere = apart
      ? this.#quarantine.components.length > 0
      : this.#quarantine.has(component)
    return elsewhere ? this.#apart : this.#ordinary
  }
}
