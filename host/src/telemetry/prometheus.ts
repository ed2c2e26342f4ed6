/**
 * The metrics of the host for Prometheus, on a listener of their own, so that clients of the gateway cannot read them.
 * @see https://opentelemetry.io/docs/specs/otel/metrics/sdk_exporters/prometheus/
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { http } from '../http/node-http.ts'
import { type PullAddress, TelemetryError } from './settings.ts'

export interface ListenerLimits {
  /** Concurrent connections. */
  connections: number
  /** Milliseconds for the head of a request. */
  headMs: number
  /** Milliseconds to take an answer. */
  answerMs: number
}

/** One scraper and a person who looks need no more. */
const LIMITS: ListenerLimits = { connections: 32, headMs: 5000, answerMs: 10_000 }
const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric reader that a scraper asks. */
export class PrometheusReader extends MetricReader {
  // The scope would be the same label on every series.
  readonly #serializer = new PrometheusSerializer('', false, undefined, false, true)
  readonly #server: Server

  private constructor({ connections, headMs, answerMs }: ListenerLimits) {
    super()
    const limits = { headersTimeout: headMs, requestTimeout: headMs }
    // Otherwise the time for the head is looked at every 30 seconds only.
    this.#server = http.createServer({
      ...limits,
      connectionsCheckingInterval: Math.min(headMs, 1000),
    })
    this.#server.maxConnections = connections
    this.#server.on('request', (request, response) => {
      const timer = setTimeout(() => response.destroy(), answerMs)
      response.once('close', () => clearTimeout(timer))
      void this.#answer(request, response)
    })
  }

  /** @throws {TelemetryError} when the address cannot be used. */
  static async listen(
    { host, port }: PullAddress,
    limits: Partial<ListenerLimits> = {},
  ): Promise<PrometheusReader> {
    const reader = new PrometheusReader({ ...LIMITS, ...limits })
    await new Promise<void>((resolve, reject) => {
      // Not once: an error of a later connection, such as too many open files, must not end the host.
      reader.#server.on('error', ({ code }: NodeJS.ErrnoException) => {
        const reason = code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${code})`
        const address = `OTEL_EXPORTER_PROMETHEUS_HOST and _PORT: ${host}:${port} ${reason}`
        reject(new TelemetryError(`${address}; choose another port, or stop the program there`))
      })
      // Where the system knows the name as ::1 first, a scraper of 127.0.0.1 would find nothing.
      reader.#server.listen(port, host === 'localhost' ? '127.0.0.1' : host, resolve)
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
    const refused = refusal(request, path)
    if (refused) return void response.writeHead(refused.status).end(`${refused.message}\n`)
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

/** @returns `undefined` for a request that is answered. */
function refusal(
  { method, headers, socket }: IncomingMessage,
  path?: string,
): { status: number; message: string } | undefined {
  // A page in a browser of this machine could reach the listener under a name of its own (DNS rebinding).
  if (isLoopback(socket.localAddress) && !isLocalName(headers.host)) {
    return { status: 421, message: 'The Host header must be localhost or an IP address.' }
  }
  if (path !== '/metrics') return { status: 404, message: 'The metrics are at /metrics.' }
  if (method === 'GET' || method === 'HEAD') return undefined
  return { status: 405, message: 'Use GET.' }
}

const isLoopback = (address = '') => /^(::ffff:)?127\.|^::1$/.test(address)

function isLocalName(host = ''): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return /^(localhost\.?|\[::1\]|\d{1,3}(\.\d{1,3}){3})$/.test(name)
}
