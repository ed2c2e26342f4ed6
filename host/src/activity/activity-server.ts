/** Answers `GET /activity` once the gateway has said that the caller may read it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Activity } from './activity.ts'
import { ActivityQueryError, type ActivityQuery, parseActivityQuery } from './filter.ts'
import { Reader } from './activity-stream.ts'
import { type ActivityRequest, ACTIVITY_VERSION } from './activity-types.ts'

/** Readers of the event stream at once. */
const MAX_READERS = 16

/** Milliseconds for which changes are collected. */
const FLUSH_MS = 100

/** No page of another origin can read it, not even as an image or a script. */
const HEADERS = {
  'cache-control': 'no-store',
  vary: 'Accept, Origin, Authorization',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

export class ActivityServer {
  readonly #activity: Activity
  readonly #readers = new Map<ServerResponse, Reader>()
  readonly #stalledMs: number
  #timer: NodeJS.Timeout | undefined

  /** @param options `stalledMs`: see {@link ReaderOptions}. @default 30 seconds */
  constructor(activity: Activity, { stalledMs = 30_000 } = {}) {
    this.#activity = activity
    this.#stalledMs = stalledMs
  }

  /** Streams that are open. */
  get readers(): number {
    return this.#readers.size
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    let query: ActivityQuery
    const { searchParams } = new URL(request.url ?? '/', 'http://host')
    try {
      query = parseActivityQuery(searchParams)
    } catch (error) {
      if (!(error instanceof ActivityQueryError)) throw error
      return json(response, 400, { error: { code: 'invalid_request', message: error.message } })
    }
    const last = request.headers['last-event-id'] ?? query.since
    const after = typeof last === 'string' ? this.#placeOf(last) : undefined
    if (request.method === 'HEAD') return json(response, 200, undefined)
    if (!/text\/event-stream/.test(request.headers.accept ?? '')) {
      this.#activity.looked()
      return json(response, 200, this.#snapshot(query, after))
    }
    if (this.#readers.size >= MAX_READERS) {
      const message = `The activity has ${MAX_READERS} readers already. Close one, or read it as JSON.`
      const body = { error: { code: 'too_many_readers', message } }
      return json(response, 503, body, { 'retry-after': '5' })
    }
    this.#stream(response, query, after)
  }

  /** Ends every stream, so that a host that closes does not wait for them. */
  close(): void {
    clearInterval(this.#timer)
    for (const response of this.#readers.keys()) response.end()
  }

  #snapshot(query: ActivityQuery, after: number | undefined): object {
    const { application, development, folder, epoch, requests, notices, components, limits } =
      this.#activity
    const found: ActivityRequest[] = []
    let next = after ?? 0
    for (const record of requests.since(next)) {
      next = record.seq
      const summary = record.toWire(false)
      if (query.matches(summary)) found.push(query.details ? record.toWire(true) : summary)
    }
    return {
      ...{ version: ACTIVITY_VERSION, host: 'ftl', application, development, folder, limits },
      components,
      notices,
      requests: query.limit === 0 ? [] : found.slice(-query.limit),
      next: `${epoch}.${next}`,
    }
  }

  #stream(response: ServerResponse, query: ActivityQuery, after: number | undefined): void {
    const leave = this.#activity.watch()
    response.once('close', () => {
      leave()
      this.#readers.delete(response)
      if (this.#readers.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    response.writeHead(200, {
      ...HEADERS,
      'content-type': 'text/event-stream',
      // nginx would hold the events back until the end.
      'x-accel-buffering': 'no',
    })
    const options = { query, after, stalledMs: this.#stalledMs }
    const reader = new Reader(this.#activity, response, options)
    // One request with its details is more than a socket takes at once.
    response.on('drain', () => reader.flush())
    this.#readers.set(response, reader)
    this.#timer ??= setInterval(() => {
      for (const reader of this.#readers.values()) reader.flush()
    }, FLUSH_MS).unref()
  }

  /** @returns `undefined` for an id of another host, or none: the reader gets everything that is kept. */
  #placeOf(id: string): number | undefined {
    const [epoch, seq = ''] = id.split('.')
    const { requests } = this.#activity
    if (epoch !== this.#activity.epoch || !/^\d{1,15}$/.test(seq)) return undefined
    return Number(seq) <= requests.seq ? Number(seq) : undefined
  }
}

function json(
  response: ServerResponse,
  status: number,
  body: object | undefined,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { ...HEADERS, 'content-type': 'application/json', ...headers })
    .end(body === undefined ? undefined : JSON.stringify(body))
}
