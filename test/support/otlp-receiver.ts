import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A span as it arrived, with plain values. */
export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  traceState: string | undefined
  /** Nanoseconds since 1970. */
  start: bigint
  end: bigint
  attributes: Record<string, unknown>
  /** 0 unset, 1 fine, 2 error. */
  status: { code: number; message?: string }
  links: { traceId: string; spanId: string }[]
  /** `service.name` of the sender. */
  service: unknown
}

export interface ReceivedPoint {
  metric: string
  attributes: Record<string, unknown>
  /** The sum, or of a histogram the number of values. */
  value: number
}

/** A log record as it arrived, with plain values. */
export interface ReceivedLog {
  /** Nanoseconds since 1970. */
  time: bigint
  observed: bigint
  severityNumber: number
  severityText: string
  eventName: string
  body: string
  traceId: string | undefined
  spanId: string | undefined
  attributes: Record<string, unknown>
  /** `service.name` of the sender. */
  service: unknown
}

export interface RawPost {
  path: string
  type: string | undefined
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

export interface OtlpReceiver {
  url: string
  posts: RawPost[]
  /** How it answers from now on. */
  answer: { status: number; delayMs: number }
  /** Log records of the posts in JSON that it has taken. */
  logs(): ReceivedLog[]
  /** Of the posts in JSON. */
  spans(): ReceivedSpan[]
  /** The newest value of each series. */
  points(): ReceivedPoint[]
  /** Settles with what `find` returns once that is not empty. */
  until<T>(find: () => T[], withinMs?: number): Promise<T[]>
  close(): Promise<void>
}

interface Value {
  stringValue?: string
  intValue?: string | number
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values: Value[] }
}
type Attributes = { key: string; value: Value }[]

interface TraceRequest {
  resourceSpans?: {
    resource: { attributes: Attributes }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'start' | 'end' | 'service'> & {
        attributes: Attributes
        startTimeUnixNano: string
        endTimeUnixNano: string
      })[]
    }[]
  }[]
}

interface MetricRequest {
  resourceMetrics?: {
    scopeMetrics: {
      metrics: {
        name: string
        sum?: { dataPoints: Point[] }
        gauge?: { dataPoints: Point[] }
        histogram?: { dataPoints: Point[] }
      }[]
    }[]
  }[]
}

interface LogRequest {
  resourceLogs?: {
    resource: { attributes: Attributes }
    scopeLogs: {
      logRecords: (Omit<ReceivedLog, 'attributes' | 'time' | 'observed' | 'service' | 'body'> & {
        attributes: Attributes
        body: Value
        timeUnixNano: string
        observedTimeUnixNano: string
      })[]
    }[]
  }[]
}

interface Point {
  attributes: Attributes
  asInt?: string | number
  asDouble?: number
  count?: string | number
}

/** A collector that keeps what it gets. @param status what it answers with. */
export async function startOtlpReceiver({ status = 200, port = 0 } = {}): Promise<OtlpReceiver> {
  const posts: RawPost[] = []
  const taken = new Set<RawPost>()
  const answer = { status, delayMs: 0 }
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      const { url: path = '', headers } = request
      const post = { path, type: headers['content-type'], headers, body }
      posts.push(post)
      const { status, delayMs } = answer
      if (status < 300) taken.add(post)
      const respond = () =>
        response.writeHead(status, { 'content-type': headers['content-type'] ?? '' }).end()
      if (delayMs > 0) setTimeout(respond, delayMs)
      else respond()
      for (const listener of listeners) listener()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const parsed = (path: string, counts: (post: RawPost) => boolean = () => true) =>
    posts
      .filter((post) => post.path === path && post.type === 'application/json' && counts(post))
      .map(({ body }) => JSON.parse(body.toString()) as unknown)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    answer,
    logs: () =>
      parsed('/v1/logs', (post) => taken.has(post)).flatMap((one) => logsOf(one as LogRequest)),
    spans: () => parsed('/v1/traces').flatMap((request) => spansOf(request as TraceRequest)),
    points: () => newest(parsed('/v1/metrics').flatMap((one) => pointsOf(one as MetricRequest))),
    until: (find, withinMs = 10_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = find()
          if (found.length > 0) settle(() => resolve(found))
        }
        const settle = (then: () => void) => {
          clearTimeout(timer)
          listeners.delete(look)
          then()
        }
        const timer = setTimeout(
          () => settle(() => reject(new Error(`nothing such among ${posts.length} posts`))),
          withinMs,
        )
        listeners.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansOf({ resourceSpans = [] }: TraceRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ startTimeUnixNano, endTimeUnixNano, attributes, links, ...span }) => ({
        ...span,
        links: links ?? [],
        start: BigInt(startTimeUnixNano),
        end: BigInt(endTimeUnixNano),
        attributes: plain(attributes),
        service: plain(resource.attributes)['service.name'],
      })),
    ),
  )
}

function logsOf({ resourceLogs = [] }: LogRequest): ReceivedLog[] {
  return resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map(({ timeUnixNano, observedTimeUnixNano, attributes, body, ...log }) => ({
        ...log,
        body: String(plainValue(body)),
        time: BigInt(timeUnixNano),
        observed: BigInt(observedTimeUnixNano),
        attributes: plain(attributes),
        service: plain(resource.attributes)['service.name'],
      })),
    ),
  )
}

function pointsOf({ resourceMetrics = [] }: MetricRequest): ReceivedPoint[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, sum, gauge, histogram }) =>
        ((sum ?? gauge ?? histogram)?.dataPoints ?? []).map(
          ({ attributes, asInt, asDouble, count }) => ({
            metric: name,
            attributes: plain(attributes),
            value: Number(asInt ?? asDouble ?? count),
          }),
        ),
      ),
    ),
  )
}

function newest(points: ReceivedPoint[]): ReceivedPoint[] {
  const series = points.map((point): [string, ReceivedPoint] => [
    point.metric + JSON.stringify(point.attributes),
    point,
  ])
  return [...new Map(series).values()]
}

function plain(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]))
}

function plainValue({ intValue, arrayValue, ...value }: Value): unknown {
  if (intValue !== undefined) return Number(intValue)
  if (arrayValue) return arrayValue.values.map(plainValue)
  return Object.values(value)[0]
}
