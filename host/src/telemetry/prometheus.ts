/**
 * The metrics of the host for Prometheus, on a listener of their own, so that clients of the gateway cannot read them.
 * @see https://opentelemetry.io/docs/specs/otel/metrics/sdk_exporters/prometheus/
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { type PullAddress, TelemetryError } from './settings.ts'

/** One scraper and a person who looks need no more. */
const MAX_CONNECTIONS = 32
/** Milliseconds for the head of a request. */
const HEAD_MS = 5000
const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric reader that a scraper asks. */
export class PrometheusReader extends MetricReader {
  // The scope would be the same label on every series.
  readonly #serializer = new PrometheusSerializer('', false, undefined, false, true)
  readonly #server: Server

  private constructor() {
    super()
    this.#server = createServer({ headersTimeout: HEAD_MS, requestTimeout: HEAD_MS })
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.on('request', (request, response) => void this.#answer(request, response))
  }

  /** @throws {TelemetryError} when the address cannot be used. */
  static async listen({ host, port }: PullAddress): Promise<PrometheusReader> {
    const reader = new PrometheusReader()
    await new Promise<void>((resolve, reject) => {
      reader.#server.once('error', ({ code }: NodeJS.ErrnoException) => {
        const reason = code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${code})`
        const address = `OTEL_EXPORTER_PROMETHEUS_HOST and _PORT: ${host}:${port} ${reason}`
        reject(new TelemetryError(`${address}; choose another port, or stop the program there`))
      })
      reader.#server.listen(port, host, resolve)
    })
    return reader
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?')
    const status = refusal(request, path)
    if (status !== undefined) return void response.writeHead(status).end()
    try {
      const { resourceMetrics } = await this.collect()
      const text = this.#serializer.serialize(withUnits(resourceMetrics))
      response.writeHead(200, { 'content-type': TEXT, 'cache-control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : text)
    } catch {
      response.writeHead(503).end()
    }
  }
}

/** The serializer adds no unit to a name, and Prometheus has `_seconds` there, as dashboards of other servers expect. */
function withUnits({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => {
        const { descriptor } = metric
        if (descriptor.unit !== 's') return metric
        return { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}_seconds` } }
      }),
    })),
  }
}

/** @returns a status, or `undefined` for a request that is answered. */
function refusal({ method, headers, socket }: IncomingMessage, path?: string): number | undefined {
  // A page in a browser of this machine could reach the listener under a name of its own (DNS rebinding).
  if (isLoopback(socket.localAddress) && !isLocalName(headers.host)) return 421
  if (path !== '/metrics') return 404
  return method === 'GET' || method === 'HEAD' ? undefined : 405
}

const isLoopback = (address = '') => /^(::ffff:)?127\.|^::1$/.test(address)

function isLocalName(host = ''): boolean {
  const name = host.replace(/:\d+$/, '')
  return name === 'localhost' || name === '[::1]' || /^\d{1,3}(\.\d{1,3}){3}$/.test(name)
}
