/** Counts of each component since the host began. The calls are those of the metric `spin.request_count`. */
import type { ActivityComponent } from './activity-types.ts'

/** Durations of a component that the percentiles are about. */
const WINDOW = 256

interface Stats {
  calls: number
  errors: number
  isFailing: boolean
  lastFailure: ActivityComponent['lastFailure']
  readonly durations: Float32Array
  measured: number
}

export interface InstancesOf {
  component: string
  live: number
  memory: number
}

export class ComponentStats {
  readonly #stats = new Map<string, Stats>()

  /** @param components of the application that is served now; those that were there before keep their numbers. */
  constructor(components: Iterable<string>) {
    this.serve(components)
  }

  serve(components: Iterable<string>): void {
    const ids = new Set(components)
    for (const id of this.#stats.keys()) if (!ids.has(id)) this.#stats.delete(id)
    for (const id of ids) if (!this.#stats.has(id)) this.#stats.set(id, none())
  }

  called(component: string): void {
    const stats = this.#stats.get(component)
    if (stats) stats.calls++
  }

  /** @param failure `undefined` for an answer below 500. */
  answered(
    component: string,
    ms: number | undefined,
    failure: ActivityComponent['lastFailure'],
  ): void {
    const stats = this.#stats.get(component)
    if (!stats) return
    if (ms !== undefined) stats.durations[stats.measured++ % WINDOW] = ms
    stats.isFailing = failure !== undefined
    if (!failure) return
    stats.errors++
    stats.lastFailure = failure
  }

  read(instances: readonly InstancesOf[]): ActivityComponent[] {
    return [...this.#stats].map(([id, stats]) => {
      const { calls, errors, isFailing, lastFailure, durations, measured } = stats
      const { live = 0, memory = 0 } = instances.find(({ component }) => component === id) ?? {}
      const sorted = durations.slice(0, Math.min(measured, WINDOW)).sort()
      const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1]
      const [p50, p95] = [at(0.5), at(0.95)].map((ms) => ms && Math.round(ms * 100) / 100)
      return {
        id,
        state: calls === 0 ? 'unused' : isFailing ? 'failing' : 'ready',
        calls,
        errors,
        ...(p50 !== undefined && { p50 }),
        ...(p95 !== undefined && { p95 }),
        ...(lastFailure && { lastFailure }),
        instances: live,
        memory,
      }
    })
  }
}

const none = (): Stats => ({
  calls: 0,
  errors: 0,
  isFailing: false,
  lastFailure: undefined,
  durations: new Float32Array(WINDOW),
  measured: 0,
})
