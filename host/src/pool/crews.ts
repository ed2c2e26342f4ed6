/** The workers of a pool: those that serve any component, and one for components in quarantine. */
import { isGateway } from '../manifest/gateway.ts'
import type { ComponentManifest } from '../manifest/manifest.ts'
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
  #closed = false

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
    // With every request this is asked, and nearly always there is no quarantine.
    return serving.length === 0 ? this.#ordinary.serving : [...this.#ordinary.serving, ...serving]
  }

  /** Tells every thread, also those that do not serve yet. */
  forEach(tell: (worker: WorkerThread) => void): void {
    this.#ordinary.forEach(tell)
    this.#apart.forEach(tell)
  }

  /** The workers that may serve a request, once there is one; none when the pool is closed. */
  async servingFor(flight: Flight): Promise<readonly WorkerThread[]> {
    let crew = this.#crewFor(flight)
    while (crew.serving.length === 0 && !this.#closed) {
      await crew.ready()
      crew = this.#crewFor(flight)
    }
    return crew.serving
  }

  /** A thread has ended. @returns when another has taken its place; `undefined` when it did not serve. */
  lost(worker: WorkerThread): Promise<void> | undefined {
    return this.#ordinary.lost(worker) ?? this.#apart.lost(worker)
  }

  /**
   * A guest of `component` took a thread: its requests run apart from now on.
   *
   * @returns `false` for a component through which all requests go: they would all move with it.
   */
  isolate(component: string): boolean {
    const { components } = this.#options
    const found = components.find(({ id }) => id === component)
    if (found === undefined || components.length === 1 || isGateway(found)) return false
    this.#quarantine.add(component)
    return this.#quarantine.has(component)
  }

  /**
   * Adapts the number of workers to those whose guest computes.
   *
   * @returns the requests that have not begun there. Those of the quarantine stay: it has one worker.
   */
  relieve(silent: readonly WorkerThread[]): Flight[] {
    this.#apart.release()
    const { serving } = this.#ordinary
    const computing = silent.filter((worker) => serving.includes(worker))
    if (computing.length === 0) {
      this.#ordinary.release()
      return []
    }
    const moved = computing.flatMap((worker) => worker.withdraw())
    if (moved.length > 0 && computing.length >= serving.length) this.#ordinary.reinforce()
    return moved
  }

  async close(): Promise<void> {
    this.#closed = true
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
