/** What happens in the host, for `GET /activity`: the last requests, the state of the components, and who watches. */
import { randomBytes } from 'node:crypto'
import type { RequestEntry } from '../requests/request-entry.ts'
import type { RequestSink, RequestStart, WorkerReport } from '../requests/request-events.ts'
import { createRequestId } from '../requests/request-id.ts'
import { ComponentStats, type InstancesOf } from './component-stats.ts'
import { Chains } from './component-chains.ts'
import { PastRequest } from './past-request.ts'
import { MAX_AGENT, MAX_METHOD, MAX_PATH } from './request-facts.ts'
import { RequestRecord } from './request-record.ts'
import { Ring, type RingLimits } from './ring.ts'
import { type PastRequests, UnwatchedRequest } from './unwatched-request.ts'
import type { ActivityComponent, ActivityNotice } from './activity-types.ts'

export interface ActivityOptions {
  application: { name: string; version: string | undefined }
  /** Of the application: with it the page links a stack to the source, under `ftl dev` only. */
  folder?: string
  components: Iterable<string>
  instances: () => readonly InstancesOf[]
  /** Whether every request is watched, with its arguments: `ftl dev`. */
  development: boolean
  /** @default 1000 requests, 8 MiB */
  limits?: RingLimits
}

type Ended = Pick<RequestRecord, 'id' | 'time' | 'lastReport'>

/** The path that is not recorded: a reader would otherwise see itself read. */
export const ACTIVITY_PATH = '/activity'

/** Milliseconds for which requests are watched after a reader that does not stay. */
const WATCH_MS = 60_000

const MAX_NOTICES = 100
const MAX_MESSAGE = 1000

export class Activity implements RequestSink {
  readonly requests: Ring<RequestRecord | PastRequest>
  readonly limits: RingLimits
  readonly application: ActivityOptions['application']
  readonly development: boolean
  readonly folder: string | undefined
  /** Another one for each host: numbers of an earlier one mean nothing. */
  readonly epoch = randomBytes(4).toString('hex')
  readonly notices: ActivityNotice[] = []
  /** Notices since the start; the last of them are kept. */
  noticeCount = 0
  readonly #stats: ComponentStats
  readonly #instances: () => readonly InstancesOf[]
  readonly #chains = new Chains()
  /** To be used again. */
  readonly #free: PastRequest[] = []
  readonly #sink: PastRequests
  #readers = 0
  #watchedUntil = 0

  constructor(options: ActivityOptions) {
    this.limits = options.limits ?? { entries: 1000, bytes: 8 * 1024 ** 2 }
    this.requests = new Ring(this.limits, (dropped) => {
      if (!(dropped instanceof PastRequest)) return
      dropped.use++
      this.#free.push(dropped)
    })
    const { name, version } = options.application
    this.application = { name, version }
    this.development = options.development
    this.folder = options.development ? options.folder : undefined
    this.#stats = new ComponentStats(options.components)
    this.#instances = options.instances
    this.#sink = {
      counted: (request, report) => this.#report(request, report),
      ended: (request, entry) => this.#end(request, entry),
      take: ({ start }) =>
        start.path === ACTIVITY_PATH ? undefined : (this.#free.pop() ?? new PastRequest()),
      listed: (past) => this.requests.touch(past),
      chainOf: (called) => this.#chains.of(called),
    }
  }

  /** Whether requests that begin now get spans and lines. */
  get watched(): boolean {
    return this.development || this.#readers > 0 || performance.now() < this.#watchedUntil
  }

  get components(): ActivityComponent[] {
    return this.#stats.read(this.#instances())
  }

  /** The application was reloaded. */
  serve(components: Iterable<string>): void {
    this.#stats.serve(components)
  }

  /** A request from outside begins. */
  begin(start: RequestStart): RequestRecord | UnwatchedRequest {
    const { method, path, headers } = start
    if (path === ACTIVITY_PATH || !this.watched) return new UnwatchedRequest(start, this.#sink)
    return new RequestRecord({
      id: createRequestId(headers),
      method: method.slice(0, MAX_METHOD),
      path: path.slice(0, MAX_PATH),
      agent: headers['user-agent']?.slice(0, MAX_AGENT),
      development: this.development,
      onChange: (changed) => this.requests.touch(changed),
      onReport: (reported, report) => this.#report(reported, report),
      onEnd: (ended, entry) => this.#end(ended, entry),
    })
  }

  notice(component: string, message: string): void {
    this.noticeCount++
    const time = new Date().toISOString()
    this.notices.push({ time, component, message: message.slice(0, MAX_MESSAGE) })
    if (this.notices.length > MAX_NOTICES) this.notices.shift()
  }

  /** Somebody looks once. */
  looked(): void {
    this.#watchedUntil = performance.now() + WATCH_MS
  }

  /** A reader stays. @returns what to call when it leaves */
  watch(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      this.looked()
    }
  }

  #report(record: Ended, { chain, calls }: WorkerReport): void {
    for (const component of chain) this.#stats.called(component)
    for (const { component, status, ms } of calls) {
      const failed = status >= 500 || status === 0
      this.#stats.answered(component, ms, failed ? failureOf(record, status, undefined) : undefined)
    }
  }

  #end(record: Ended, { components, status, milliseconds, outcome, reason }: RequestEntry) {
    const [first] = components
    if (first === undefined || outcome === 'left') return
    const failed = outcome === 'cut' || status >= 500
    const failure = failed ? failureOf(record, status, reason) : undefined
    this.#stats.answered(first, milliseconds, failure)
  }
}

function failureOf(record: Ended, status: number, reason: string | undefined) {
  const { id, time, lastReport } = record
  const said = reason ?? lastReport ?? (status === 0 ? 'did not answer' : `answered ${status}`)
  return { time: new Date(time).toISOString(), request: id, reason: said.slice(0, MAX_MESSAGE) }
}
