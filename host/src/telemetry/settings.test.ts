import { expect, test } from 'vitest'
import { readTelemetry } from './settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

test.each([
  [{}],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  [{ OTEL_SERVICE_NAME: 'app' }],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: '1' }],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
])('%j asks for nothing', (env) => {
  expect(readTelemetry(env)).toBeUndefined()
})

test('the common endpoint is a base, a signal has its own as it stands', () => {
  expect(readTelemetry(ENDPOINT)).toMatchObject({
    traces: { url: 'http://collector:4318/v1/traces', encoding: 'http/protobuf' },
    metrics: { url: 'http://collector:4318/v1/metrics', encoding: 'http/protobuf' },
  })
  expect(
    readTelemetry({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/in',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_SDK_DISABLED: 'false',
    }),
  ).toMatchObject({
    traces: { url: 'https://traces/in', encoding: 'http/json' },
    metrics: undefined,
  })
})

test('Prometheus is asked for by name, alone or beside OTLP', () => {
  expect(readTelemetry({ OTEL_METRICS_EXPORTER: 'prometheus' })).toMatchObject({
    prometheus: { host: 'localhost', port: 9464 },
    metrics: undefined,
  })
  const alone = readTelemetry({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'prometheus' })
  expect(alone).toMatchObject({ traces: {}, metrics: undefined, prometheus: {} })
  const both = readTelemetry({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'otlp, prometheus' })
  expect(both).toMatchObject({ metrics: {}, prometheus: {} })
  expect(readTelemetry(ENDPOINT)?.prometheus).toBeUndefined()
  for (const list of ['prometheus,', 'none,prometheus', 'prometheus,prometheus']) {
    const pulled = readTelemetry({ ...ENDPOINT, OTEL_METRICS_EXPORTER: list })
    expect(pulled, list).toMatchObject({ metrics: undefined, prometheus: {} })
  }
})

test.each([
  [undefined, undefined, { parentBased: true, ratio: 1 }],
  ['always_off', undefined, { parentBased: false, ratio: 0 }],
  ['always_on', '0.5', { parentBased: false, ratio: 1 }],
  ['traceidratio', '0.25', { parentBased: false, ratio: 0.25 }],
  ['parentbased_traceidratio', '0.1', { parentBased: true, ratio: 0.1 }],
  ['parentbased_always_off', undefined, { parentBased: true, ratio: 0 }],
])('the sampler %s with %s', (name, arg, sampler) => {
  const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg }
  expect(readTelemetry(env)?.sampler).toEqual(sampler)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /PROTOCOL is grpc.*http\/protobuf.*4318/],
  [{ OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL is grpc'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be an http'],
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER is jaeger_remote'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'a number from 0 to 1'],
  [
    { OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_PROMETHEUS_PORT: '70000' },
    'OTEL_EXPORTER_PROMETHEUS_PORT must be',
  ],
  [{ OTEL_METRIC_EXPORT_INTERVAL: '1m' }, 'OTEL_METRIC_EXPORT_INTERVAL must be'],
])('%j is reported before anything starts', (env, message) => {
  expect(() => readTelemetry({ ...ENDPOINT, ...env })).toThrow(message)
})
