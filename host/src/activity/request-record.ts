/** A request that is watched, as `GET /activity` shows it, while it runs and after. */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { RequestHead } from '../http/messages.ts'
import { withRequestId } from '../requests/request-id.ts'
import { monotonicMs } from '../requests/clock.ts'
import type { RequestEntry } from '../requests/request-entry.ts'
import type { RequestFollower, WorkerReport } from '../requests/request-events.ts'
import type { TraceContext } from '../requests/trace-context.ts'
import { readGatewayLine } from './gateway-line.ts'
import { messageHead } from './message-head.ts'
import { chainOf } from './component-chains.ts'
import { isFine, MAX_TEXT, outcomeOf, OWN_BYTES, toolOf } from './request-facts.ts'
import type { RingEntry } from './ring.ts'
import { MAX_SPANS, toActivitySpan } from './spans.ts'
import type {
  ActivityCall,
  ActivityClient,
  ActivityLine,
  ActivityOutcome,
} from './activity-types.ts'
import type { ActivityRequest, ActivitySpan } from './activity-types.ts'

const MAX_CALLS = 32
const MAX_LINES = 1000
const MAX_LINE_CHARACTERS = 64 * 1024

/** Bytes of a span, and of a line without its text. */
const SPAN_BYTES = 250
const LINE_BYTES = 80

export interface RecordOptions {
  id: string
  method: string
  path: string
  agent: string | undefined
  /** Whether arguments are kept: `ftl dev`. */
  development: boolean
  onChange: (record: RequestRecord) => void
  /** Its workers have finished. */
  onReport: (record: RequestRecord, report: WorkerReport) => void
  /** Its answer has ended. */
  onEnd: (record: RequestRecord, entry: RequestEntry) => void
}

export class RequestRecord implements RequestFollower, RingEntry {
  seq = 0
  place = -1
  counted = 0
  readonly id: string
  readonly #options: RecordOptions
  readonly #time = Date.now()
  readonly #started = monotonicMs()
  #root = ''
  #components: readonly string[] = []
  #entry: RequestEntry | undefined
  #rpc: string | undefined
  #target: string | undefined
  #client: ActivityClient | undefined
  #principal: string | undefined
  #retries = 0
  readonly #calls: ActivityCall[] = []
  #callCharacters = 0
  #outcome: ActivityOutcome | undefined
  #reason: string | undefined
  #spans: readonly ActivitySpan[] = []
  readonly #lines: ActivityLine[] = []
  #characters = 0
  #dropped = 0
  #counts = { spans: 0, kv: 0, network: 0 }

  constructor(options: RecordOptions) {
    this.#options = options
    this.id = options.id
  }

  get time(): number {
    return this.#time
  }

  get size(): number {
    const texts = this.#options.path.length + this.id.length
    const calls = this.#calls.length * 400 + 2 * this.#callCharacters
    return (
      OWN_BYTES +
      2 * texts +
      calls +
      this.#spans.length * SPAN_BYTES +
      this.#lines.length * LINE_BYTES +
      2 * this.#characters
    )
  }

  /** The last thing the host or a component reported, as the reason of a failure. */
  get lastReport(): string | undefined {
    return this.#lines.findLast(({ stream }) => stream === 'host')?.line
  }

  /** Otherwise the gateway's own id is taken from its answer: to check one takes it longer than to make one. */
  enters(_component: string, { headers }: RequestHead): readonly HeaderEntry[] {
    return withRequestId(headers, this.id)
  }

  flies(component: string, context: TraceContext | undefined): TraceContext | undefined {
    this.#components = [component]
    const observed = this.#options.development ? 'arguments' : 'summary'
    const own = { traceId: '', spanId: 'request', sampled: false, state: '', private: true }
    const mine = { ...(context ?? own), observed } as const
    this.#root = mine.spanId
    this.#changed()
    return mine
  }

  body(bytes: Uint8Array): void {
    if (this.#options.method !== 'POST') return
    const head = messageHead(bytes)
    if (!head) return
    this.#rpc = head.rpc
    this.#target = head.target
    this.#client = head.client
    this.#changed()
  }

  line(component: string, stream: ActivityLine['stream'], text: string): void {
    if (this.#lines.length >= MAX_LINES || this.#characters >= MAX_LINE_CHARACTERS) {
      this.#dropped++
      return
    }
    const line = text.slice(0, MAX_LINE_CHARACTERS - this.#characters)
    this.#characters += line.length
    this.#lines.push({ at: since(this.#started), component, stream, line })
    this.#changed()
  }

  gatewayLine(line: string): void {
    const said = readGatewayLine(line, this.#options.development)
    if (!said) return
    this.#principal = said.principal ?? this.#principal
    this.#client = { ...said.client, ...this.#client }
    if (this.#calls.length < MAX_CALLS && said.call) {
      this.#calls.push(said.call)
      // Arguments are never longer than the line that has them.
      this.#callCharacters += line.length
    }
    // Of several calls, one that failed counts.
    if (this.#outcome === undefined || isFine(this.#outcome)) {
      this.#outcome = said.outcome
      this.#reason = said.reason
    }
    this.#changed()
  }

  report(report: WorkerReport): void {
    if (report.chain.length > 0) this.#components = chainOf(report.chain)
    this.#retries = report.losses
    const at = { root: this.#root, started: this.#started }
    this.#spans = report.spans.slice(0, MAX_SPANS).map((span) => toActivitySpan(span, at))
    const count = (kind: ActivitySpan['kind']) =>
      this.#spans.filter((span) => span.kind === kind).length
    this.#counts = { spans: report.spans.length, kv: count('kv'), network: count('network') }
    this.#dropped += report.droppedSpans + report.spans.length - this.#spans.length
    this.#options.onReport(this, report)
    this.#changed()
  }

  end(entry: RequestEntry): void {
    this.#entry = entry
    if (entry.components.length > 0) this.#components = chainOf(entry.components)
    this.#options.onEnd(this, entry)
    this.#changed()
  }

  answered(principal: string | undefined): void {
    this.#principal ??= principal?.slice(0, MAX_TEXT)
  }

  toWire(withDetails: boolean): ActivityRequest {
    const { method, path } = this.#options
    const entry = this.#entry
    const outcome = outcomeOf(entry, this.#outcome)
    const reason = this.#reason ?? entry?.reason
    const client = { agent: this.#options.agent, ...this.#client }
    return {
      id: this.id,
      time: new Date(this.#time).toISOString(),
      method,
      path,
      ...(this.#rpc !== undefined && { rpc: this.#rpc }),
      ...((this.#target ?? toolOf(path)) !== undefined && { target: this.#target ?? toolOf(path) }),
      components: this.#components,
      outcome,
      ...(reason !== undefined && !isFine(outcome) && { reason: reason.slice(0, 2 * MAX_TEXT) }),
      status: entry?.status ?? 0,
      ms: entry ? Math.round(entry.milliseconds * 1000) / 1000 : since(this.#started),
      bytes: entry?.bytes ?? 0,
      ...(this.#principal !== undefined && { principal: this.#principal }),
      ...(Object.values(client).some((value) => value !== undefined) && { client }),
      retries: this.#retries,
      calls: this.#calls,
      watched: true,
      counts: { ...this.#counts, lines: this.#lines.length, dropped: this.#dropped },
      ...(withDetails && { spans: this.#spans, lines: this.#lines }),
    }
  }

  #changed(): void {
    this.#options.onChange(this)
  }
}

const since = (started: number) => Math.round((monotonicMs() - started) * 1000) / 1000
