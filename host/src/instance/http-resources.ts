/** The resources of `wasi:http/types`, as the host holds them. */
import { HttpError } from '../http/http-error.ts'
import type { Account } from './host-memory-account.ts'
import { bytesOfEntries, type Fields } from './fields.ts'
import { Pipe } from '../http/pipe.ts'
import { type Pollable, Signal } from '../http/wake-signal.ts'
import type { GuestRequest } from './services.ts'
import type { HttpResponse } from '../http/messages.ts'

/** A message from outside. Its body may be taken once; dropping the message before that cancels the body. */
abstract class Incoming {
  protected abstract readonly body: Pipe
  /** Bytes its headers take. */
  abstract readonly bytes: number
  #consumed = false

  consume(): IncomingBody | undefined {
    if (this.#consumed) return undefined
    this.#consumed = true
    return new IncomingBody(this.body)
  }

  dispose(): void {
    if (!this.#consumed) this.body.cancel()
  }
}

export class IncomingRequest extends Incoming {
  readonly message: GuestRequest
  protected readonly body: Pipe
  readonly bytes: number

  constructor(message: GuestRequest) {
    super()
    this.message = message
    this.body = message.body
    this.bytes = bytesOfEntries(message.headers)
  }
}

export class IncomingResponse extends Incoming {
  readonly message: HttpResponse
  protected readonly body: Pipe
  readonly bytes: number

  constructor(message: HttpResponse) {
    super()
    this.message = message
    this.body = message.body
    this.bytes = bytesOfEntries(message.headers)
  }
}

export class IncomingBody {
  readonly pipe: Pipe
  streamTaken = false

  constructor(pipe: Pipe) {
    this.pipe = pipe
  }

  dispose(): void {
    this.pipe.cancel()
  }
}

/** The trailers after a body. Always empty, because HTTP/1 trailers are not forwarded. */
export class FutureTrailers {
  taken = false
}

/** A message the guest creates. If the guest never takes its body, the body is empty. */
abstract class Outgoing {
  readonly headers: Fields
  readonly pipe: Pipe
  /** Bytes its headers and the strings of its head take. */
  bytes: number
  bodyTaken = false

  constructor(headers: Fields, account: Account) {
    this.headers = headers
    this.bytes = headers.bytes
    this.pipe = new Pipe(account)
  }

  body(): OutgoingBody | undefined {
    if (this.bodyTaken) return undefined
    this.bodyTaken = true
    return new OutgoingBody(this.pipe)
  }

  /** Returns the body to send, ended if the guest never took it. */
  send(): Pipe {
    if (!this.bodyTaken) this.pipe.end()
    return this.pipe
  }
}

export class OutgoingRequest extends Outgoing {
  constructor(headers: Fields, account: Account) {
    super(headers, account)
    this.pipe.discardWhenCancelled()
  }

  method = 'GET'
  path: string | undefined
  scheme: string | undefined
  authority: string | undefined
}

export class OutgoingResponse extends Outgoing {
  status = 200
}

export class OutgoingBody {
  readonly pipe: Pipe
  streamTaken = false

  constructor(pipe: Pipe) {
    this.pipe = pipe
  }

  /** Dropped before it was finished: the reader must not treat a partial body as complete. */
  dispose(): void {
    this.pipe.fail(new HttpError('internal-error', 'the body was dropped before its end'))
  }

  /** Left open by a guest that ended normally: what was written is the body. Engines answer errors this way. */
  settle(): void {
    this.pipe.end()
  }
}

export class RequestOptions {
  /** Nanoseconds. */
  connect: bigint | undefined
  firstByte: bigint | undefined
  betweenBytes: bigint | undefined
}

/** Receives the guest's response, which may be set once. */
export class ResponseOutparam {
  used = false
  #body: Pipe | undefined
  readonly #settle: (response: HttpResponse) => void

  constructor(settle: (response: HttpResponse) => void) {
    this.#settle = settle
  }

  set(response: HttpResponse): void {
    this.used = true
    this.#body = response.body
    this.#settle(response)
  }

  /**
   * The guest ended normally. This ends a body that it did not finish, as Spin does: engines leave the empty body
   * of a 500 open.
   */
  end(): void {
    if (this.#body && !this.#body.failure) this.#body.end()
  }
}

/** Outcome of a future that the guest dropped; it is never read. */
const DROPPED = new HttpError('internal-error', 'the future was dropped')

export class FutureResponse implements Pollable {
  readonly #settled = new Signal()
  readonly #abort: () => void
  #dropped = false
  outcome: HttpResponse | HttpError | undefined
  taken = false
  /** Bytes of the headers of a response that the guest has not taken yet. */
  bytes = 0

  /** @param account is charged for the response's headers and for body bytes that arrived but were not read. */
  constructor(response: Promise<HttpResponse>, abort: () => void, account?: Account) {
    this.#abort = abort
    const { era } = account ?? {}
    response.then(
      (message) => {
        // The guest may have ended, and its account may belong to another request.
        if (account && account.era === era && !this.#dropped) {
          message.body.chargeTo(account)
          this.bytes = bytesOfEntries(message.headers)
          account.add(this.bytes)
        }
        this.#settle(message)
      },
      (error: unknown) =>
        this.#settle(
          error instanceof HttpError ? error : new HttpError('internal-error', String(error)),
        ),
    )
  }

  ready(): boolean {
    return this.outcome !== undefined
  }

  onReady(wake: () => void): () => void {
    return this.#settled.subscribe(wake)
  }

  dispose(): void {
    this.#dropped = true
    if (this.outcome === undefined) this.#abort()
    else if (!this.taken) this.#discard(this.outcome)
    // A remaining pollable must not keep the response in memory.
    this.outcome = DROPPED
  }

  #settle(outcome: HttpResponse | HttpError): void {
    if (this.#dropped) return this.#discard(outcome)
    this.outcome = outcome
    this.#settled.notify()
  }

  #discard(outcome: HttpResponse | HttpError): void {
    if (!(outcome instanceof HttpError)) outcome.body.cancel()
  }
}
