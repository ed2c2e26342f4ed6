/**
 * Traces and metrics over OTLP, by OpenTelemetry's own SDK. Loaded only when somebody asked for them.
 *
 * Nothing is registered globally: a program that embeds the host may have an SDK of its own.
 */
import type { Tracer } from '@opentelemetry/api'
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  MeterProvider,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { InstanceCount } from './instance-counters.ts'
import { Metrics } from './metrics.ts'
import { Probe } from './probe.ts'
import type { RequestSink, RequestStart } from '../requests/request-events.ts'
import { SCOPE } from './span-export.ts'
import type { Destination, PullAddress, SamplerSettings, TelemetrySettings } from './settings.ts'
import { ExportOutage } from './export-outage.ts'

export interface TelemetryOptions {
  settings: TelemetrySettings
  /** Name and version of the application. */
  application: { name: string; version: string | undefined }
  onProblem: (message: string) => void
  /** What is read whenever metrics are sent. */
  running: () => number
  instances: () => readonly ({ component: string } & InstanceCount)[]
}

/** Milliseconds a host that closes waits for a collector. */
const FLUSH_MS = 2000

export class Telemetry implements RequestSink {
  readonly #resource: Resource
  readonly #processor: BatchSpanProcessor | undefined
  readonly #traces: TracerProvider | undefined
  readonly #tracer: Tracer | undefined
  readonly #meters: MeterProvider | undefined
  readonly #metrics: Metrics | undefined

  private constructor(
    { settings, application, running, instances }: TelemetryOptions,
    exporters: {
      traces: Awaited<ReturnType<typeof traceExporter>> | undefined
      metrics: Awaited<ReturnType<typeof metricExporter>> | undefined
      pulled: MetricReader | undefined
    },
  ) {
    this.#resource = resourceOf(application)
    if (exporters.traces) {
      this.#processor = new BatchSpanProcessor({ exporter: exporters.traces, ...settings.batch })
      this.#traces = new TracerProvider({
        resource: this.#resource,
        sampler: samplerOf(settings.sampler),
        spanProcessors: [this.#processor],
      })
      this.#tracer = this.#traces.getTracer(SCOPE.name)
    }
    const readers = exporters.pulled ? [exporters.pulled] : []
    if (exporters.metrics) {
      readers.push(
        new PeriodicExportingMetricReader({
          exporter: exporters.metrics,
          exportIntervalMillis: settings.metricIntervalMs,
        }),
      )
    }
    if (readers.length > 0) {
      this.#meters = new MeterProvider({ resource: this.#resource, readers })
      this.#metrics = new Metrics(this.#meters.getMeter(SCOPE.name), {
        app: application.name,
        running,
        instances,
      })
    }
  }

  static async start(options: TelemetryOptions): Promise<Telemetry> {
    const { traces, metrics, prometheus } = options.settings
    const outage = new ExportOutage(options.onProblem)
    return new Telemetry(options, {
      traces: traces && outage.watch(await traceExporter(traces), traces.url),
      metrics: metrics && outage.watch(await metricExporter(metrics), metrics.url),
      // Last, because it takes a port.
      pulled: prometheus && (await pullReader(prometheus)),
    })
  }

  begin(request: RequestStart): Probe {
    return new Probe(request, {
      tracer: this.#tracer,
      metrics: this.#metrics,
      keep: (span) => this.#processor?.onEnd(span),
      resource: this.#resource,
    })
  }

  workerLost(component: string | undefined): void {
    this.#metrics?.workerLost(component)
  }

  /** Sends what is left, as far as a collector takes it. */
  async close(): Promise<void> {
    const flushed = Promise.allSettled([this.#traces?.shutdown(), this.#meters?.shutdown()])
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => (timer = setTimeout(resolve, FLUSH_MS)))
    await Promise.race([flushed, late])
    clearTimeout(timer)
  }
}

// What the environment says wins: it knows the machine, the application knows itself only.
export function resourceOf({ name, version }: TelemetryOptions['application']): Resource {
  const own = { 'service.name': name, ...(version && { 'service.version': version }) }
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
}

function samplerOf({ parentBased, ratio }: SamplerSettings): Sampler {
  const root = ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio)
  return parentBased ? new ParentBasedSampler({ root }) : root
}

/*
 * The SDK's exporters, by encoding; only those in use are loaded. They read headers, timeouts, compression and
 * certificates from the environment.
 */

async function traceExporter({ url, encoding }: Destination): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter({ url })
}

async function metricExporter({ url, encoding }: Destination): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter({ url })
}

async function pullReader(address: PullAddress): Promise<MetricReader> {
  const { PrometheusReader } = await import('./prometheus.ts')
  return PrometheusReader.listen(address)
}
