/**
 * Reads the telemetry settings from the standard OpenTelemetry variables.
 *
 * The SDK for Node leaves sampler, batches and intervals to its caller, so they are read here.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import type { Environment } from '../variables/provider.ts'

/** A variable has a value that this host does not support; the host does not start. */
export class TelemetryError extends Error {
  override readonly name = 'TelemetryError'
}

export type Encoding = 'http/protobuf' | 'http/json'

export interface Destination {
  url: string
  encoding: Encoding
}

/** Where Prometheus reads the metrics. */
export interface PullAddress {
  host: string
  port: number
}

export interface SamplerSettings {
  /** Whether the sampling decision of the caller is followed. */
  parentBased: boolean
  /** Fraction of the traces that begin here that is kept, 0 to 1. */
  ratio: number
}

export interface TelemetrySettings {
  traces: Destination | undefined
  metrics: Destination | undefined
  /** @default none */
  prometheus: PullAddress | undefined
  sampler: SamplerSettings
  batch: {
    scheduledDelayMillis: number
    exportTimeoutMillis: number
    maxQueueSize: number
    maxExportBatchSize: number
  }
  /** Milliseconds between two exports of metrics. */
  metricIntervalMs: number
}

/** Where the lines of the audit log are sent, and how many of them wait. */
export interface LogSettings extends Destination {
  /** Milliseconds that a line waits for others, so that they are sent together. */
  delayMs: number
  maxQueueSize: number
  maxBatchSize: number
}

/**
 * Of the variables for the signal "logs".
 *
 * @throws {TelemetryError} also if they have no address, or switch the signal off: an audit log that was asked for must
 * not be missing silently.
 */
export function readLogSettings(env: Environment): LogSettings {
  const to = isDisabled(env) ? undefined : destination(env, 'LOGS')
  if (!to) {
    throw new TelemetryError(
      'the audit log cannot be sent: --audit-otlp needs OTEL_EXPORTER_OTLP_ENDPOINT or ' +
        'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, without OTEL_SDK_DISABLED and OTEL_LOGS_EXPORTER=none',
    )
  }
  const maxQueueSize = number(env, 'OTEL_BLRP_MAX_QUEUE_SIZE', 2048)
  const maxBatchSize = number(env, 'OTEL_BLRP_MAX_EXPORT_BATCH_SIZE', 512)
  return {
    ...to,
    delayMs: number(env, 'OTEL_BLRP_SCHEDULE_DELAY', 1000),
    maxQueueSize,
    maxBatchSize: Math.min(maxBatchSize, maxQueueSize),
  }
}

// Spin treats any value as yes; here `false` means no.
function isDisabled(env: Environment): boolean {
  return !['', 'false'].includes((env['OTEL_SDK_DISABLED'] ?? '').toLowerCase())
}

/**
 * `OTEL_*`: where traces and metrics are sent (docs/operations.md#traces-and-metrics)
 *
 * @returns `undefined` when telemetry is not configured, or disabled.
 * @throws {TelemetryError}
 */
export function readTelemetry(env: Environment): TelemetrySettings | undefined {
  if (isDisabled(env)) return undefined
  const traces = destination(env, 'TRACES')
  const metrics = destination(env, 'METRICS')
  const prometheus = pullAddress(env)
  if (!traces && !metrics && !prometheus) return undefined
  const maxQueueSize = number(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  return {
    traces,
    metrics,
    prometheus,
    sampler: sampler(env),
    batch: {
      scheduledDelayMillis: number(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
      exportTimeoutMillis: number(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxQueueSize,
      maxExportBatchSize: Math.min(
        number(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
        maxQueueSize,
      ),
    },
    metricIntervalMs: number(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
  }
}

function destination(
  env: Environment,
  signal: 'TRACES' | 'METRICS' | 'LOGS',
): Destination | undefined {
  // Only Prometheus pulls; any other value keeps meaning OTLP.
  const exporters = exportersOf(env, signal)
  const isPulled = (name: string) => name === 'none' || name === 'prometheus'
  if (exporters.length > 0 && exporters.every(isPulled)) return undefined
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  // The common endpoint is a base URL; the signal's own endpoint is used unchanged.
  const url = own || (common && `${common.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`)
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new TelemetryError(
      `telemetry cannot be sent to "${url}": it must be an http or https URL`,
    )
  }
  return { url, encoding: encoding(env, signal) }
}

const exportersOf = (env: Environment, signal: string) =>
  (env[`OTEL_${signal}_EXPORTER`] ?? '').split(',').flatMap((name) => name.trim() || [])

/** @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#prometheus-exporter */
function pullAddress(env: Environment): PullAddress | undefined {
  if (!exportersOf(env, 'METRICS').includes('prometheus')) return undefined
  const port = number(env, 'OTEL_EXPORTER_PROMETHEUS_PORT', 9464)
  if (port > 65_535) {
    throw new TelemetryError('OTEL_EXPORTER_PROMETHEUS_PORT must be a port from 1 to 65535')
  }
  return { host: env['OTEL_EXPORTER_PROMETHEUS_HOST'] || 'localhost', port }
}

function encoding(env: Environment, signal: string): Encoding {
  const name = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`
  const [from, value] = env[name]
    ? [name, env[name]]
    : ['OTEL_EXPORTER_OTLP_PROTOCOL', env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf']
  if (value === 'http/protobuf' || value === 'http/json') return value
  throw new TelemetryError(
    `${from} is ${value}, which this host does not support; it sends http/protobuf or http/json, ` +
      'which collectors take on port 4318',
  )
}

function sampler(env: Environment): SamplerSettings {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const parentBased = name.startsWith('parentbased_')
  const kind = name.replace(/^parentbased_/, '')
  if (kind === 'always_on') return { parentBased, ratio: 1 }
  if (kind === 'always_off') return { parentBased, ratio: 0 }
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1)
  if (kind === 'traceidratio' && ratio >= 0 && ratio <= 1) return { parentBased, ratio }
  throw new TelemetryError(
    kind === 'traceidratio'
      ? 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'
      : `OTEL_TRACES_SAMPLER is ${name}; there are always_on, always_off and traceidratio, each also with parentbased_`,
  )
}

function number(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new TelemetryError(`${name} must be a whole number above 0`)
  }
  return value
}
