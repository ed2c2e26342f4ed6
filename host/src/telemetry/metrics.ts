/**
 * The numbers a host tells: Spin's, OpenTelemetry's for an HTTP server, and those of the host itself.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 */
import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import type { InstanceCount } from './instance-counters.ts'
import type { RequestEntry } from '../requests/request-entry.ts'

export interface MetricSources {
  /** Name of the application. */
  app: string
  /** Requests from outside that something runs for. */
  running: () => number
  instances: () => readonly ({ component: string } & InstanceCount)[]
}

/** Seconds; the steps the conventions ask for. */
const DURATION_STEPS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** A client may invent methods, and each would be a series of its own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']

export const knownMethod = (method: string): string =>
  METHODS.includes(method) ? method : '_OTHER'

export class Metrics {
  readonly #app: string
  readonly #requests: Counter
  readonly #durations: Histogram
  readonly #restarts: Counter

  constructor(meter: Meter, { app, running, instances }: MetricSources) {
    this.#app = app
    this.#requests = meter.createCounter('spin.request_count', {
      description: 'Requests to a component, those of other components included',
    })
    this.#durations = meter.createHistogram('http.server.request.duration', {
      unit: 's',
      description: 'Duration of requests from outside',
      advice: { explicitBucketBoundaries: DURATION_STEPS },
    })
    this.#restarts = meter.createCounter('ftl.worker.restarts', {
      description: 'Worker threads that were lost and replaced',
    })
    meter
      .createObservableUpDownCounter('ftl.requests.running', {
        description: 'Requests from outside that something runs for',
      })
      .addCallback((result) => result.observe(running()))
    const created = meter.createObservableCounter('ftl.instances.created', {
      description: 'Instances that were created',
    })
    const resets = meter.createObservableCounter('ftl.instances.resets', {
      description: 'Instances put back to their first state',
    })
    const live = meter.createObservableUpDownCounter('ftl.instances.live', {
      description: 'Instances that are there, used or waiting for a request',
    })
    meter.addBatchObservableCallback(
      (result) => {
        for (const { component, ...count } of instances()) {
          const attributes = { component_id: component }
          result.observe(created, count.created, attributes)
          result.observe(resets, count.resets, attributes)
          result.observe(live, count.live, attributes)
        }
      },
      [created, resets, live],
    )
  }

  requests(chain: readonly string[]): void {
    for (const component of chain) {
      this.#requests.add(1, {
        trigger_type: 'http',
        app_id: this.#app,
        component_id: component,
      })
    }
  }

  duration({ method, route, status, milliseconds, outcome }: RequestEntry): void {
    const attributes: Attributes = {
      'http.request.method': knownMethod(method),
      'url.scheme': 'http',
    }
    if (route !== undefined) attributes['http.route'] = route
    if (status !== 0) attributes['http.response.status_code'] = status
    if (outcome !== 'answered') attributes['error.type'] = outcome
    this.#durations.record(milliseconds / 1000, attributes)
  }

  workerLost(component: string | undefined): void {
    this.#restarts.add(1, component === undefined ? {} : { component_id: component })
  }
}
