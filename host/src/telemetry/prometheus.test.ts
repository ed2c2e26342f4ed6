import { request } from 'node:http'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { connect, createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { RequestEntry } from '../requests/request-entry.ts'
import { Telemetry } from './otlp.ts'
import { type ListenerLimits, PrometheusReader } from './prometheus.ts'
import { readTelemetry } from './settings.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listen(env: Record<string, string> = {}) {
  const port = await freePort()
  const settings = readTelemetry({
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
    OTEL_EXPORTER_PROMETHEUS_PORT: String(port),
    ...env,
  })
  if (!settings) throw new Error('no settings')
  const telemetry = await Telemetry.start({
    settings,
    application: { name: 'my "tools"', version: '1.0.0' },
    onProblem: (message) => expect.unreachable(message),
    running: () => 3,
    instances: () => [{ component: 'echo', created: 2, resets: 5, live: 1, memory: 0 }],
  })
  closing.push(() => telemetry.close())
  return { telemetry, port, url: `http://127.0.0.1:${port}` }
}

const ENTRY: RequestEntry = {
  method: 'POST',
  path: '/mcp/secret-path',
  route: '/mcp',
  components: ['gateway', 'echo'],
  status: 200,
  milliseconds: 30,
  bytes: 10,
  outcome: 'answered',
  reason: undefined,
  requestId: 'secret-id',
}

function observe({ begin }: { begin: Telemetry['begin'] }, change: Partial<RequestEntry> = {}) {
  const { method, path, route } = { ...ENTRY, ...change }
  const probe = begin({ method, path, route, headers: {}, client: '203.0.113.7' })
  probe.report({ chain: ['gateway', 'echo'], calls: [], spans: [], droppedSpans: 0, losses: 0 })
  probe.end({ ...ENTRY, ...change })
}

test('a scraper reads the metrics under the names of the conventions, without paths, ids and addresses', async () => {
  const { telemetry, url } = await listen()
  const sink = { begin: telemetry.begin.bind(telemetry) }
  observe(sink)
  observe(sink, { status: 500, milliseconds: 700 })
  telemetry.workerLost('echo')
  const response = await fetch(`${url}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n')
  const labels = 'http_request_method="POST",url_scheme="http",http_route="/mcp"'
  expect(lines).toEqual(
    expect.arrayContaining([
      'spin_request_count_total{trigger_type="http",app_id="my \\"tools\\"",component_id="echo"} 2',
      `http_server_request_duration_seconds_count{${labels},http_response_status_code="200"} 1`,
      `http_server_request_duration_seconds_bucket{${labels},http_response_status_code="500",le="0.5"} 0`,
      `http_server_request_duration_seconds_bucket{${labels},http_response_status_code="500",le="0.75"} 1`,
      'ftl_requests_running 3',
      'ftl_instances_live{component_id="echo"} 1',
      'ftl_instances_created_total{component_id="echo"} 2',
      'ftl_instances_resets_total{component_id="echo"} 5',
      'ftl_worker_restarts_total{component_id="echo"} 1',
    ]),
  )
  expect(lines.join('\n')).not.toMatch(/secret|203\.0\.113/)
})

test('methods that a client invents do not make series', async () => {
  const { telemetry, url } = await listen()
  const sink = { begin: telemetry.begin.bind(telemetry) }
  for (let n = 0; n < 50; n++) observe(sink, { method: `M${n}`, path: `/${n}`, route: undefined })
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text.match(/^http_server_request_duration_seconds_count/gm)).toHaveLength(1)
})

test('it answers nothing but GET and HEAD of /metrics', async () => {
  const { url } = await listen()
  expect((await fetch(url)).status).toBe(404)
  expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405)
  const head = await fetch(`${url}/metrics`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test.each([
  ['evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost:1', 200],
  ['LOCALHOST', 200],
  ['[::1]:9464', 200],
  ['localhost.evil.example', 421],
  ['localhost@evil.example', 421],
])('on this machine, a request for the host %s gets %d', async (host, status) => {
  const { port } = await listen()
  const got = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/metrics', headers: { host } })
    sent.on('response', (response) => resolve(response.resume().statusCode))
    sent.on('error', reject).end()
  })
  expect(got).toBe(status)
})

test('a port that is taken is named, and a closed listener gives its port back', async () => {
  const { telemetry, port } = await listen()
  await expect(listen({ OTEL_EXPORTER_PROMETHEUS_PORT: String(port) })).rejects.toThrow(
    `OTEL_EXPORTER_PROMETHEUS_HOST and _PORT: 127.0.0.1:${port} is already in use`,
  )
  await telemetry.close()
  await listen({ OTEL_EXPORTER_PROMETHEUS_PORT: String(port) })
})

/** A listener for one connection, with a metric of 1 MB. */
async function narrow(limits: Partial<ListenerLimits>) {
  const reader = await PrometheusReader.listen(
    { host: 'localhost', port: 0 },
    { connections: 1, ...limits },
  )
  const meters = new MeterProvider({ readers: [reader] })
  closing.push(() => meters.shutdown())
  meters
    .getMeter('test')
    .createCounter('large')
    .add(1, { text: 'x'.repeat(1e6) })
  const connection = connect(reader.port, '127.0.0.1')
  connection.on('error', () => {})
  closing.push(async () => void connection.destroy())
  await new Promise<void>((resolve) => connection.once('connect', resolve))
  return {
    connection,
    isAnswered: () =>
      fetch(`http://127.0.0.1:${reader.port}/metrics`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      ),
  }
}

test('a connection that sends nothing makes room for a scraper', async () => {
  const { isAnswered } = await narrow({ headMs: 500 })
  await expect.poll(isAnswered, { timeout: 10_000 }).toBe(true)
})

test('a reader that does not take its answer makes room for a scraper', async () => {
  const { connection, isAnswered } = await narrow({ answerMs: 2000 })
  connection.pause()
  connection.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20))
  await expect.poll(isAnswered, { timeout: 20_000 }).toBe(true)
})
