/** One reader of the event stream. It keeps a place in the ring, so a reader that is slow costs no memory. */
import type { ServerResponse } from 'node:http'
import type { Activity } from './activity.ts'
import type { ActivityQuery } from './filter.ts'
import { ACTIVITY_VERSION } from './activity-types.ts'

const KEEP_ALIVE_MS = 15_000

/** Milliseconds between two looks at the components. */
const COMPONENTS_MS = 2000

export interface ReaderOptions {
  query: ActivityQuery
  /** What it has already. @default nothing */
  after: number | undefined
  /** Milliseconds without a byte taken; then the connection is closed. The client comes back with its last id. */
  stalledMs: number
}

export class Reader {
  readonly #activity: Activity
  readonly #query: ActivityQuery
  readonly #response: ServerResponse
  readonly #stalledMs: number
  #place: number
  #notices: number
  #components = ''
  #lookedAt = -Infinity
  #blockedSince: number | undefined
  #wroteAt = performance.now()

  constructor(
    activity: Activity,
    response: ServerResponse,
    { query, after, stalledMs }: ReaderOptions,
  ) {
    this.#stalledMs = stalledMs
    this.#activity = activity
    this.#response = response
    this.#query = query
    this.#place = after ?? 0
    const { application, development, folder, limits, noticeCount, notices } = activity
    this.#notices = after === undefined ? noticeCount - notices.length : noticeCount
    response.write('retry: 2000\n\n')
    const hello = {
      version: ACTIVITY_VERSION,
      host: 'ftl',
      application,
      development,
      folder,
      limits,
    }
    this.#write('hello', { ...hello, resumed: after !== undefined })
    this.flush()
  }

  /** Sends what has changed, as far as the reader takes it. */
  flush(): void {
    const now = performance.now()
    if (this.#response.writableNeedDrain) {
      this.#blockedSince ??= now
      if (now - this.#blockedSince > this.#stalledMs) this.#response.destroy()
      return
    }
    this.#blockedSince = undefined
    this.#flushNotices()
    for (const record of this.#activity.requests.since(this.#place)) {
      this.#place = record.seq
      const request = record.toWire(this.#query.details)
      if (!this.#query.matches(request)) continue
      if (!this.#write('request', request, `${this.#activity.epoch}.${record.seq}`)) return
    }
    if (now - this.#lookedAt > COMPONENTS_MS) this.#flushComponents(now)
    if (now - this.#wroteAt > KEEP_ALIVE_MS) {
      this.#wroteAt = now
      this.#response.write(': nothing new\n\n')
    }
  }

  #flushNotices(): void {
    const { noticeCount, notices } = this.#activity
    const unseen = noticeCount - this.#notices
    if (unseen === 0) return
    this.#notices = noticeCount
    for (const notice of notices.slice(-unseen)) this.#write('notice', notice)
  }

  #flushComponents(now: number): void {
    this.#lookedAt = now
    const components = this.#activity.components
    const text = JSON.stringify(components)
    if (text === this.#components) return
    this.#components = text
    this.#write('components', { components })
  }

  /** @returns whether the reader takes more. */
  #write(event: string, data: object, id?: string): boolean {
    this.#wroteAt = performance.now()
    const head = id === undefined ? '' : `id: ${id}\n`
    return this.#response.write(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
