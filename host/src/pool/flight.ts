/**
 * A request that a worker serves, as the main thread sees it.
 *
 * @module
 */
import type { CallPlace } from '../instance/call-tree.ts'
import { HttpError } from '../instance/http-error.ts'
import { Pipe } from '../instance/pipe.ts'
import type { GuestRequest, GuestResponse } from '../instance/services.ts'
import { Deadline } from '../outbound/deadline.ts'
import type { RequestWatch } from '../telemetry/request-watch.ts'
import type { TraceContext } from '../telemetry/trace-context.ts'
import { BodyReceiver } from '../wire/body-receiver.ts'
import { BodySender } from '../wire/body-sender.ts'
import type { Claims } from '../wire/claims.ts'
import type { FromWorker, RequestHead, ToWorker, WholeBody } from '../wire/messages.ts'
import { filled, wholeBody } from '../wire/whole-body.ts'
import { type Occupant, type Places, SHORT_MS } from './places.ts'
import { ANSWER, BODY, Stay } from './stay.ts'

/** The part of a worker a flight needs. */
export interface FlightWorker {
  readonly claims: Claims
  post(message: ToWorker, transfer?: ArrayBuffer[]): void
}

export interface FlightOptions {
  id: number
  component: string
  request: GuestRequest
  /** Milliseconds everything the request starts may take; infinite is none. */
  timeoutMs: number
  /** Is told how it goes. */
  watch: FlightWatch | undefined
  /** Where it counts while its body or its answer is on the way. */
  places: readonly Places[]
  /** Nothing of it runs any more. */
  onOver: (flight: Flight) => void
}

/** The part of a {@link RequestWatch} that concerns workers. */
export type FlightWatch = Pick<RequestWatch, 'flies' | 'answered' | 'over'>

type Outcome = 'waiting' | 'answered' | 'failed'

export class Flight implements Occupant {
  readonly id: number
  readonly component: string
  readonly response: Promise<GuestResponse>
  /** How often a worker was lost under it. */
  losses = 0
  readonly #request: GuestRequest
  readonly #head: RequestHead
  readonly #onOver: (flight: Flight) => void
  readonly #timeoutMs: number
  readonly #stay: Stay
  readonly #effects: CallPlace[] = []
  readonly #avoid: CallPlace[] = []
  readonly #watch: FlightWatch | undefined
  readonly #trace: TraceContext | undefined
  #resolve: (response: GuestResponse) => void = () => {}
  #reject: (error: HttpError) => void = () => {}
  #outcome: Outcome = 'waiting'
  #body: WholeBody
  /** It is offered to its worker, and was not taken back. */
  #offered = false
  #worker: FlightWorker | undefined
  #sender: BodySender | undefined
  #receiver: BodyReceiver | undefined
  #deadline: Deadline | undefined
  #over = false

  constructor({ id, component, request, timeoutMs, watch, places, onOver }: FlightOptions) {
    this.id = id
    this.component = component
    this.#request = request
    this.#timeoutMs = timeoutMs
    this.#stay = new Stay(places, this)
    this.#onOver = onOver
    this.#watch = watch
    this.#trace = watch?.flies(component)
    const { method, scheme, authority, path, headers } = request
    this.#head = { method, scheme, authority, path, headers }
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // It may be ended before anything waits for the response.
    this.response.catch(() => {})
    request.signal?.addEventListener('abort', this.#left)
    // From here on: it may have to wait for a worker.
    this.#deadline = this.#startDeadline()
  }

  /** Nobody has an answer yet. */
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

  /** There is no place for it. */
  refuse(): void {
    this.fail(new HttpError('connection-limit-reached', 'too many requests at once'))
    this.#end()
  }

  /** Frees all its places. */
  leave(): void {
    this.#stay.leave()
  }

  evict(): void {
    const reason = 'was ended because too many requests took long'
    this.#abandon(reason, new HttpError('connection-limit-reached', reason))
  }

  get path(): string {
    return this.#head.path
  }

  /** The whole body, as far as it came with the head; later calls know it without waiting. */
  async prepare(): Promise<void> {
    this.#body = await wholeBody(this.#request.body)
  }

  /** The call that took its thread down will not be made again. */
  avoid(place: CallPlace): void {
    this.#avoid.push(place)
  }

  /** Hands the request over. */
  start(worker: FlightWorker): void {
    this.#worker = worker
    const { id, component } = this
    const body = this.#body
    // The pieces of a body that is still to come follow to one worker only.
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

  /** Takes it back from its worker. @returns whether it had not begun there; then another worker can have it. */
  withdraw(): boolean {
    if (!this.#offered || !this.waiting || this.#request.signal?.aborted) return false
    this.#offered = false
    return this.#worker?.claims.take(this.id) ?? false
  }

  receive(message: Extract<FromWorker, { id: number }>): void {
    switch (message.type) {
      case 'response':
        return this.#respond(message)
      case 'refused':
        return this.fail(new HttpError(message.code, message.message))
      case 'effect':
        this.#effects.push(message.place)
        return
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

  /**
   * Whether the request can be sent again and nobody could tell: no answer has begun, its body is still here, and
   * nothing was changed but by guests that will not be called again.
   */
  get repeatable(): boolean {
    const gone = ({ component, nth }: CallPlace) =>
      this.#avoid.some((place) => place.component === component && place.nth === nth)
    return this.#outcome === 'waiting' && this.#body !== undefined && this.#effects.every(gone)
  }

  /** The worker is gone and the request is not sent again. */
  lose(): void {
    this.#receiver?.fail('connection-terminated', 'the worker of the request was lost')
    this.fail(new HttpError('internal-error', 'the worker of the request was lost'))
    this.#end()
  }

  fail(error: HttpError): void {
    this.#request.body.cancel()
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
  }: Extract<FromWorker, { type: 'response' }>): void {
    if (this.#outcome !== 'waiting') return
    if (body === undefined) {
      this.#receiver = new BodyReceiver(id, (message) => this.#worker?.post(message))
    }
    const pipe = this.#receiver?.pipe ?? filled(new Pipe(), body ?? new Uint8Array())
    const answer = () => {
      if (this.#outcome !== 'waiting') return
      this.#outcome = 'answered'
      this.#watch?.answered(chain, calls)
      this.#request.signal?.removeEventListener('abort', this.#left)
      this.#resolve({ status, headers, body: pipe })
    }
    if (body !== undefined || this.#stay.lengthen(ANSWER)) answer()
    else this.#answerIfShort(pipe, answer)
  }

  /** Too many answers are on the way for long: this one is passed on if it ends soon, and else refused. */
  #answerIfShort(pipe: Pipe, answer: () => void): void {
    const timer = setTimeout(() => {
      if (this.#stay.lengthen(ANSWER)) answer()
      else this.evict()
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
    this.#worker?.post({ type: 'abandon', id: this.id, reason })
    // What is written already waits in the worker for a reader, and the request with it.
    if (this.#receiver) this.#worker?.post({ type: 'cancel', id: this.id })
    this.fail(error)
    this.#receiver?.fail('connection-terminated', reason)
  }

  #end(done?: Extract<FromWorker, { type: 'done' }>): void {
    if (this.#over) return
    this.#over = true
    this.#watch?.over({
      chain: done?.chain ?? [this.component],
      calls: done?.calls ?? [],
      spans: done?.spans ?? [],
      droppedSpans: done?.droppedSpans ?? 0,
      losses: this.losses,
    })
    this.#deadline?.clear()
    this.#request.signal?.removeEventListener('abort', this.#left)
    this.#onOver(this)
  }
}
