/** The main thread's side of a request that a worker serves. */
import type {
  CallOrigin,
  CallPlace,
  FromWorker,
  LogStream,
  ToWorker,
  WholeBody,
} from '../wire/messages.ts'
import { BegunCalls } from '../audit/call-line.ts'
import { shown } from '../audit/killed.ts'
import { isFollower } from '../http/followers.ts'
import { HttpError } from '../http/http-error.ts'
import { Pipe } from '../http/pipe.ts'
import type { HttpRequest, HttpResponse, RequestHead } from '../http/messages.ts'
import { Deadline } from '../http/deadline.ts'
import type { RequestWatch } from '../requests/request-watch.ts'
import type { TraceContext } from '../requests/trace-context.ts'
import { BodyReceiver } from '../wire/body-receiver.ts'
import { BodySender } from '../wire/body-sender.ts'
import type { Claims } from '../wire/request-claims.ts'
import { type Done, NOTHING_DONE, together, type WholeDone } from '../wire/request-end.ts'
import { filled, wholeBody } from '../wire/whole-body.ts'
import { type Occupant, type Places, SHORT_MS, TOO_LONG } from './places.ts'
import { ANSWER, BODY, Stay } from './places-of-request.ts'

/** The part of a worker a flight needs. */
export interface FlightWorker {
  readonly claims: Claims
  post(message: ToWorker, transfer?: ArrayBuffer[]): void
}

export interface FlightOptions {
  id: number
  component: string
  request: HttpRequest
  /** Milliseconds that everything the request starts may take; `Infinity` for no limit. */
  timeoutMs: number
  /** Receives its progress. */
  watch: FlightWatch | undefined
  /** It takes a place in each of these until it is over. */
  places: readonly Places[]
  /** Whether it gives back all but the first of them once it follows something. @default false */
  isLight?: boolean
  /** Who the request comes from; empty if it is not known. */
  sender: string
  /** It is a call of a guest that works for another request. */
  inner?: { outer: Flight; nth: number; origin: CallOrigin; trace: TraceContext | undefined }
  /** A line of the audit log about one of its calls that its gateway did not write. */
  onAudit: (line: string) => void
  /** Called once, when no guest in its worker works for it any more. */
  onServed: (flight: Flight) => void
  /** Called once, when no work for it is left, in no worker. */
  onOver: (flight: Flight) => void
}

/** The part of a {@link RequestWatch} that concerns workers. */
export type FlightWatch = Pick<
  RequestWatch,
  'flies' | 'called' | 'over' | 'body' | 'line' | 'gatewayLine'
>

/** A guest in another worker has changed something: no attempt of the request leaves that out. */
const ELSEWHERE: CallPlace = { component: '', nth: 0 }

type Outcome = 'waiting' | 'answered' | 'failed'

export class Flight implements Occupant {
  readonly id: number
  readonly component: string
  readonly sender: string
  readonly response: Promise<HttpResponse>
  /** Number of workers that were lost while serving it. */
  losses = 0
  readonly #request: HttpRequest
  readonly #head: RequestHead
  readonly #onAudit: (line: string) => void
  readonly #onServed: (flight: Flight) => void
  readonly #onOver: (flight: Flight) => void
  readonly #timeoutMs: number
  readonly #stay: Stay
  readonly #isLight: boolean
  readonly #effects: CallPlace[] = []
  readonly #avoid: CallPlace[] = []
  readonly #watch: FlightWatch | undefined
  readonly #trace: TraceContext | undefined
  readonly #inner: FlightOptions['inner']
  /** Calls of its guests to components in other workers that have not ended, and what the ended ones have done. */
  readonly #calls = new Set<Flight>()
  #called = NOTHING_DONE
  /** Called when the last of them has ended. */
  readonly #whenAlone: (() => void)[] = []
  #resolve: (response: HttpResponse) => void = () => {}
  #reject: (error: HttpError) => void = () => {}
  #outcome: Outcome = 'waiting'
  #body: WholeBody
  /** It was offered to its worker and has not been withdrawn. */
  #offered = false
  #worker: FlightWorker | undefined
  #sender: BodySender | undefined
  #receiver: BodyReceiver | undefined
  #deadline: Deadline | undefined
  /** What its guests in its worker have done, once they have ended. */
  #done: WholeDone | undefined
  readonly #begun = new BegunCalls()
  /** Why it did not end by itself. */
  #ended: string | undefined

  constructor({
    id,
    component,
    request,
    timeoutMs,
    watch,
    places,
    sender,
    inner,
    isLight = false,
    ...on
  }: FlightOptions) {
    this.id = id
    this.component = component
    this.sender = sender
    this.#inner = inner
    if (inner) inner.outer.#calls.add(this)
    this.#request = request
    this.#timeoutMs = timeoutMs
    this.#stay = new Stay(places, this)
    this.#isLight = isLight
    this.#onAudit = on.onAudit
    this.#onServed = on.onServed
    this.#onOver = on.onOver
    this.#watch = watch
    this.#trace = inner ? inner.trace : watch?.flies(component)
    const { method, scheme, authority, path, headers } = request
    this.#head = { method, scheme, authority, path, headers }
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // It may fail before anything awaits the response, and that must not end the process.
    this.response.catch(() => {})
    request.signal?.addEventListener('abort', this.#left)
    // The time starts now, because it may have to wait for a worker.
    this.#deadline = this.#startDeadline()
  }

  /** It has neither been answered nor failed. */
  get waiting(): boolean {
    return this.#outcome === 'waiting'
  }

  get long(): boolean {
    return this.#stay.long
  }

  /** Takes a place of each kind. @returns whether it may run. */
  async enter(): Promise<boolean> {
    return (await this.#stay.enter()) && (this.#request.body.ended || this.#stay.lengthen(BODY))
  }

  /** Fails it, because no place is free. */
  refuse(): void {
    this.fail(
      new HttpError('connection-limit-reached', 'too many requests at once', { begun: false }),
    )
    this.#end()
  }

  /** Frees all its places. */
  leave(): void {
    this.#stay.leave()
  }

  evict(reason: string): void {
    this.#abandon(reason, new HttpError('connection-limit-reached', reason))
  }

  /** Of the request from outside. */
  get path(): string {
    return this.#inner?.outer.path ?? this.#head.path
  }

  /** Reads the body if it is short and arrives with the head. Otherwise the request cannot be moved or repeated. */
  async prepare(): Promise<void> {
    this.#body = await wholeBody(this.#request.body)
    if (this.#body) this.#watch?.body(this.#body)
  }

  /** Something was printed for it; `host`: the host reports it. */
  printed(component: string, stream: LogStream | 'host', line: string): void {
    if (this.#inner) return this.#inner.outer.printed(component, stream, line)
    if (this.#trace?.observed) this.#watch?.line(component, stream, line)
  }

  /** The gateway reports about it. */
  noted(line: string): void {
    if (this.#inner) return this.#inner.outer.noted(line)
    this.#watch?.gatewayLine(line)
  }

  /** Its gateway wrote a line of the audit log. */
  audited(line: string): void {
    this.#begun.take(line)
  }

  /**
   * It begins again on another worker. Its calls in other workers end first, because they would otherwise run twice.
   *
   * @param reason why its calls have ended. @returns whether it may. See {@link repeatable}.
   */
  async again(reason: string): Promise<boolean> {
    if (!this.repeatable) return false
    this.#endCalls('killed', reason)
    for (const call of this.#calls) {
      call.#abandon(reason, new HttpError('connection-terminated', reason))
    }
    if (this.#calls.size > 0) await new Promise<void>((alone) => this.#whenAlone.push(alone))
    return this.repeatable
  }

  /** Skips the call that took its thread down when the request is repeated. */
  avoid(place: CallPlace): void {
    this.#avoid.push(place)
  }

  /** Sends the request to a worker, unless its client left before any had it. */
  start(worker: FlightWorker): void {
    if (this.#worker === undefined && this.#request.signal?.aborted) return this.#neverBegins()
    this.#worker = worker
    const { id, component } = this
    const body = this.#body
    // A request whose body is still arriving cannot be moved: the pieces are sent to one worker only.
    this.#offered = body !== undefined && worker.claims.offer(id)
    worker.post({
      type: 'request',
      id,
      component,
      head: this.#head,
      body,
      offered: this.#offered,
      avoid: this.#avoid,
      trace: this.#trace,
      sender: this.sender,
      origin: this.#inner?.origin,
    })
    if (body === undefined)
      this.#sender = new BodySender(
        id,
        this.#request.body,
        (message, transfer) => worker.post(message, transfer),
        () => this.#stay.shorten(BODY),
      )
    if (this.#request.signal?.aborted) this.#left()
  }

  /** Withdraws it from its worker. @returns whether it had not begun there and can be sent to another worker. */
  withdraw(): boolean {
    return this.waiting && !this.#request.signal?.aborted && this.#takeBack()
  }

  #takeBack(): boolean {
    if (!this.#offered) return false
    this.#offered = false
    return this.#worker?.claims.take(this.id) ?? false
  }

  receive(message: Exclude<Extract<FromWorker, { id: number }>, { type: 'call' | 'left' }>): void {
    switch (message.type) {
      case 'response':
        this.#respond(message)
        return message.done && this.#end(message.done)
      case 'refused':
        return this.fail(new HttpError(message.code, message.message))
      case 'effect':
        return this.#changed(message.place)
      case 'done':
        return this.#end(message)
      case 'chunk':
        return this.#receiver?.chunk(message.bytes)
      case 'end':
        return this.#receiver?.end()
      case 'fail':
        return this.#receiver?.fail(message.code, message.message)
      case 'ack':
        return this.#sender?.ack(message.bytes)
      case 'cancel':
        return this.#sender?.cancel()
    }
  }

  #changed(place: CallPlace): void {
    this.#effects.push(place)
    if (this.#inner) this.#inner.outer.#changed(ELSEWHERE)
  }

  /**
   * Whether the request can be sent again without the client noticing: no answer has begun, its body is still
   * available, and only guests that will not be called again have changed anything.
   */
  get repeatable(): boolean {
    const gone = ({ component, nth }: CallPlace) =>
      this.#avoid.some((place) => place.component === component && place.nth === nth)
    return this.#outcome === 'waiting' && this.#body !== undefined && this.#effects.every(gone)
  }

  /**
   * Fails it, because its worker is gone and it is not sent again.
   *
   * @param component that took the worker down in this request.
   */
  lose(reason?: string, component?: string): void {
    const message = `the worker of the request was lost${reason ? `: ${reason}` : ''}`
    this.#receiver?.fail('connection-terminated', message)
    this.#ended = message
    this.fail(new HttpError('internal-error', message, { component }))
    this.#end()
  }

  fail(error: HttpError): void {
    this.#request.body.cancel()
    this.#ended ??= error.message
    if (this.#outcome !== 'waiting') return
    this.#outcome = 'failed'
    this.#reject(error)
  }

  #respond({
    id,
    status,
    headers,
    body,
    chain,
    calls,
    report,
  }: Extract<FromWorker, { type: 'response' }>): void {
    if (this.#outcome !== 'waiting') return
    if (body === undefined) {
      this.#receiver = new BodyReceiver(id, (message) => this.#worker?.post(message))
    }
    const pipe = this.#receiver?.pipe ?? filled(new Pipe(), body ?? new Uint8Array())
    const answer = () => {
      if (this.#outcome !== 'waiting') return
      this.#outcome = 'answered'
      const called = together({ ...NOTHING_DONE, chain, calls }, this.#called)
      this.#watch?.called(called.chain, called.calls)
      this.#request.signal?.removeEventListener('abort', this.#left)
      this.#resolve({ status, headers, body: pipe, report })
    }
    if (this.#isLight && isFollower(this.#head.method, headers)) this.#stay.keepFirst()
    if (body !== undefined || this.#stay.lengthen(ANSWER)) answer()
    else this.#answerIfShort(pipe, answer)
  }

  /** Too many long answers are under way: passes this one on if it ends within {@link SHORT_MS}, else evicts it. */
  #answerIfShort(pipe: Pipe, answer: () => void): void {
    const timer = setTimeout(() => {
      if (this.#stay.lengthen(ANSWER)) answer()
      else this.evict(TOO_LONG)
    }, SHORT_MS)
    const watch = () => {
      if (!pipe.ended && !pipe.failure && !pipe.cancelled) pipe.onReady(watch)
      else {
        clearTimeout(timer)
        answer()
      }
    }
    watch()
  }

  #neverBegins(): void {
    const message = 'the client left before its request began'
    this.fail(new HttpError('connection-terminated', message, { begun: false }))
    this.#end()
  }

  readonly #left = (): void => {
    this.#worker?.post({ type: 'left', id: this.id })
  }

  #startDeadline(): Deadline | undefined {
    if (!Number.isFinite(this.#timeoutMs)) return undefined
    return new Deadline(this.#timeoutMs, () => {
      const reason = `took longer than ${this.#timeoutMs / 1000} s`
      this.#abandon(reason, new HttpError('HTTP-response-timeout', reason))
    })
  }

  /** Ends everything that runs for it. */
  #abandon(reason: string, error: HttpError): void {
    for (const call of this.#calls) call.#abandon(reason, error)
    // A worker that computes for seconds would say only then that it has not begun it.
    if (this.#takeBack()) {
      this.fail(error)
      return this.#end()
    }
    this.#worker?.post({ type: 'abandon', id: this.id, reason })
    // Otherwise written bytes would wait in the worker for a reader, and the request would not end.
    if (this.#receiver) this.#worker?.post({ type: 'cancel', id: this.id })
    this.fail(error)
    this.#receiver?.fail('connection-terminated', reason)
  }

  #endCalls(outcome: 'killed' | 'unknown', reason: string): void {
    for (const line of this.#begun.end(outcome, shown(reason))) this.#onAudit(line)
  }

  /** Its guests in its worker have ended. Those that they called in others may go on: then it is not over. */
  #end(done?: Done): void {
    if (this.#done) return
    this.#done = { ...NOTHING_DONE, chain: [this.component], ...done, spans: done?.spans ?? [] }
    this.#onServed(this)
    if (this.#calls.size === 0) this.#finish(this.#done)
  }

  #finish(done: WholeDone): void {
    if (this.#ended === undefined) this.#endCalls('unknown', 'its gateway did not say how it ended')
    else this.#endCalls('killed', this.#ended)
    const whole = together(done, this.#called)
    this.#watch?.over({ ...whole, losses: this.losses })
    this.#deadline?.clear()
    this.#request.signal?.removeEventListener('abort', this.#left)
    this.#onOver(this)
    if (this.#inner) this.#inner.outer.#take(this, whole)
  }

  /** A call of its guests in another worker has ended. Its component is in the chain from when it was called. */
  #take(call: Flight, { chain, ...done }: WholeDone): void {
    this.#calls.delete(call)
    this.#called = together(this.#called, { ...done, chain: chain.slice(1) })
    if (this.#calls.size > 0) return
    for (const alone of this.#whenAlone.splice(0)) alone()
    if (this.#done) this.#finish(this.#done)
  }
}
