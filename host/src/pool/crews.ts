/** The workers of a pool: those that serve any component, those for guests that compute, and one for the quarantine. */
import { type ComponentManifest, isGateway } from '../manifest/manifest.ts'
import { type Ward, WARD } from '../wire/guest-cells.ts'
import { ComputingAccounts, type Turn, type Verdict } from './computing-accounts.ts'
import { Crew } from './crew.ts'
import type { Flight } from './flight.ts'
import { Wards } from './wards.ts'
import type { WorkerThread } from './worker-thread.ts'

/** A worker that has so many times the requests of another gives those away that it has not begun. */
const UNBALANCED = 8

/** Turns of guests that belong elsewhere after which their worker gets nothing new. */
const SEPARATE_AT = 3

export interface CrewsOptions {
  /** Workers that serve any component. */
  workers: number
  /** Milliseconds a component stays in quarantine. */
  quarantineMs: number
  /** Of the application. */
  components: readonly Pick<ComponentManifest, 'id' | 'variables'>[]
  /** Starts a thread. @param options.wards see {@link Wards.levels} */
  spawn: (options: { warm: boolean; ward: Ward; wards: Int32Array }) => WorkerThread
  /** A worker could not start; it is tried again. */
  onProblem: (message: string) => void
  /** Calls of the component run in quarantine now, because they compute for seconds. @param sender whose calls; `undefined` for all */
  onQuarantine: (component: string, sender: string | undefined) => void
  /** Something moves to another ward: requests that have not begun there go with it. */
  onChange: () => void
}

export class Crews {
  readonly #options: CrewsOptions
  readonly #wards: Wards
  readonly #accounts = new ComputingAccounts()
  readonly #crews: Readonly<Record<Ward, Crew<WorkerThread>>>
  /** Turns on ordinary workers of components that belong elsewhere. */
  readonly #turns = new WeakMap<WorkerThread, number>()
  /** Workers for guests that compute: more of them start when all of these do. */
  #slowWorkers = 1

  constructor(options: CrewsOptions) {
    const { workers, quarantineMs, components, spawn, onProblem } = options
    this.#options = options
    this.#wards = new Wards({
      components: components.map(({ id }) => id),
      quarantineMs,
      onChange: () => {
        this.#resize()
        options.onChange()
      },
    })
    const { levels } = this.#wards
    const crew = (ward: Ward, size: number) =>
      new Crew({
        size,
        spare: ward === WARD.ordinary,
        spawn: ({ warm }) => spawn({ warm, ward, wards: levels }),
        onProblem,
      })
    this.#crews = {
      [WARD.ordinary]: crew(WARD.ordinary, workers),
      [WARD.slow]: crew(WARD.slow, 0),
      [WARD.quarantine]: crew(WARD.quarantine, 0),
    }
  }

  /** @throws {Error} what keeps a worker from serving. */
  start(): Promise<void> {
    return this.#ordinary.start()
  }

  get serving(): readonly WorkerThread[] {
    // This runs with every request, and mostly only these serve.
    const { serving } = this.#ordinary
    const apart = [
      ...this.#ordinary.leaving,
      ...this.#slow.serving,
      ...this.#slow.leaving,
      ...this.#quarantine.serving,
    ]
    return apart.length === 0 ? serving : [...serving, ...apart]
  }

  /** Tells every thread, also those that do not serve yet. */
  forEach(tell: (worker: WorkerThread) => void): void {
    for (const crew of this.#all) crew.forEach(tell)
  }

  /** See {@link Crew.endIdle}. The other workers have their own end. */
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
    for (const crew of this.#all) {
      const replaced = crew.lost(worker)
      if (replaced !== undefined) return replaced
    }
    return undefined
  }

  /** A guest of `component` took a thread: its requests run in quarantine from now on. */
  isolate(component: string): void {
    if (this.#mayMove(component)) this.#wards.quarantine(component)
  }

  isIsolated(component: string): boolean {
    return this.#wards.isQuarantined(component)
  }

  /** A guest has computed for long. */
  computed(worker: WorkerThread, turn: Omit<Turn, 'isGateway'>): void {
    const { component } = turn
    this.#separate(worker, turn)
    const found = this.#options.components.find(({ id }) => id === component)
    const gateway = found !== undefined && isGateway(found)
    this.#judge(turn, this.#accounts.charge({ ...turn, isGateway: gateway }, performance.now()))
  }

  /** A guest of the component computes right now, and has for long. */
  computes(component: string): void {
    this.#judge({ component, sender: '' }, { slowComponent: true })
  }

  /** A guest was ended by its engine, because it had computed for too long. */
  exhausted(component: string, sender: string): void {
    this.#judge(
      { component, sender },
      this.#accounts.exhausted(component, sender, performance.now()),
    )
  }

  /**
   * Adapts the number of workers, and withdraws the requests that have not begun from those whose guest computes: it
   * may compute for `maxBlockingMs`, and they would wait that long.
   *
   * @returns the requests to send again. Those of the quarantine stay, because it has one worker.
   */
  relieve(silent: readonly WorkerThread[]): Flight[] {
    this.#quarantine.release()
    return [...this.#relieveOrdinary(silent), ...this.#relieveSlow(silent)]
  }

  /** Withdraws the requests that have not begun where they do not belong any more. @returns the requests to send again */
  misplaced(): Flight[] {
    const moved = this.#ordinary.leaving.flatMap((worker) => worker.withdraw())
    for (const ward of [WARD.ordinary, WARD.slow]) {
      for (const worker of this.#crews[ward].serving) {
        moved.push(...worker.withdraw((flight) => this.#wards.wardOf(flight) > ward))
      }
    }
    return moved
  }

  async close(): Promise<void> {
    this.#wards.close()
    await Promise.all(this.#all.map((crew) => crew.close()))
  }

  get #ordinary(): Crew<WorkerThread> {
    return this.#crews[WARD.ordinary]
  }

  get #slow(): Crew<WorkerThread> {
    return this.#crews[WARD.slow]
  }

  get #quarantine(): Crew<WorkerThread> {
    return this.#crews[WARD.quarantine]
  }

  get #all(): Crew<WorkerThread>[] {
    return Object.values(this.#crews)
  }

  // A component through which all requests go would take them all with it.
  #mayMove(component: string): boolean {
    const { components } = this.#options
    const found = components.find(({ id }) => id === component)
    return found !== undefined && components.length > 1 && !isGateway(found)
  }

  #judge({ component, sender }: { component: string; sender: string }, verdict: Verdict): void {
    if (verdict.slowSender && sender !== '') this.#wards.slowSender(sender)
    if (!this.#mayMove(component)) return
    if (verdict.slowComponent) this.#wards.slowComponent(component)
    const { onQuarantine } = this.#options
    if (verdict.quarantinedComponent) {
      if (this.#wards.quarantine(component)) onQuarantine(component, undefined)
    } else if (verdict.quarantinedKey && this.#wards.quarantineKey(component, sender)) {
      onQuarantine(component, sender)
    }
  }

  /**
   * A guest computes again and again that began before its component was known to. Its worker gets nothing new, and gives
   * each of the others that have begun there its share.
   */
  #separate(worker: WorkerThread, { component, sender }: Pick<Turn, 'component' | 'sender'>): void {
    if (!this.#ordinary.serving.includes(worker)) return
    if (this.#wards.wardOf({ component, sender }) === WARD.ordinary) return
    const turns = (this.#turns.get(worker) ?? 0) + 1
    this.#turns.set(worker, turns)
    if (turns < SEPARATE_AT || !this.#ordinary.dismiss(worker)) return
    worker.post({ type: 'share' })
    this.#options.onChange()
  }

  #resize(): void {
    if (!this.#wards.isUsed(WARD.slow)) this.#slowWorkers = 1
    this.#slow.resize(this.#wards.isUsed(WARD.slow) ? this.#slowWorkers : 0)
    this.#quarantine.resize(this.#wards.isUsed(WARD.quarantine) ? 1 : 0)
  }

  #relieveOrdinary(silent: readonly WorkerThread[]): Flight[] {
    const { serving } = this.#ordinary
    const computing = silent.filter((worker) => serving.includes(worker))
    if (computing.length === 0) {
      this.#ordinary.release()
      return this.#balance()
    }
    const moved = computing.flatMap((worker) => worker.withdraw())
    const allCompute = computing.length >= serving.length
    for (const worker of computing) {
      const { request, component: number } = worker.running
      const component = this.#options.components[number]?.id ?? ''
      const isSlow = request > 0 && this.#wards.wardOf({ component, sender: '' }) > WARD.ordinary
      if (isSlow && (allCompute || worker.load > 1) && worker.isRepeatable) worker.preempt()
    }
    if (moved.length > 0 && allCompute) this.#ordinary.reinforce()
    return allCompute ? moved : [...moved, ...this.#balance()]
  }

  /** A worker that has come later shares what the others have not begun. */
  #balance(): Flight[] {
    const { serving } = this.#ordinary
    const least = Math.min(...serving.map(({ load }) => load))
    const most = serving.filter(({ load }) => load > UNBALANCED * (least + 1))
    return most.flatMap((worker) => worker.withdraw())
  }

  #relieveSlow(silent: readonly WorkerThread[]): Flight[] {
    const { serving } = this.#slow
    const computing = silent.filter((worker) => serving.includes(worker))
    if (computing.length === 0) {
      this.#slow.release()
      return []
    }
    if (computing.length < serving.length) return computing.flatMap((worker) => worker.withdraw())
    // All but one of as many workers as serve any component.
    const isWaitedFor = computing.some(({ load }) => load > 1)
    if (
      isWaitedFor &&
      this.#slowWorkers < this.#options.workers - 1 &&
      this.#slowWorkers <= serving.length
    ) {
      this.#slowWorkers++
      this.#resize()
    }
    return []
  }

  #crewFor(flight: Flight): Crew<WorkerThread> {
    return this.#crews[this.#wards.wardOf(flight)]
  }
}
