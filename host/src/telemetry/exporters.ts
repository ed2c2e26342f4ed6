/**
 * The SDK's exporters, by encoding; only those in use are loaded. Headers, timeouts, compression and certificates
 * they take from the environment themselves.
 */
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Destination } from './settings.ts'

export async function traceExporter({ url, encoding }: Destination): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter({ url })
}

export async function metricExporter({ url, encoding }: Destination): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter({ url })
}
