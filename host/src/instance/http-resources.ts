/**
 * The resources of `wasi:http/types`, as the host holds them.
 *
 * @module
 */
import { HttpError } from './http-error.ts'
import type { Account } from './account.ts'
import { bytesOfEntries, type Fields } from './fields.ts'
import { Pipe } from './pipe.ts'
import { type Pollable, Signal } from './readiness.ts'
import type { GuestRequest, GuestResponse } from './services.ts'

/** A message from outside. Its body may be taken once; dropping it untaken tells the sender to stop. */
abstract class Incoming {
  protected abstract readonly body: Pipe
  /** What its headers take. */
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
  readonly message: GuestResponse
  protected readonly body: Pipe
  readonly bytes: number

  constructor(message: GuestResponse) {
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

/** The body is over; HTTP/1 trailers are not carried, so there is never anything in it. */
export class FutureTrailers {
  taken = false
}

/** A message the guest makes. A body it never asks for is an empty one. */
abstract class Outgoing {
  readonly headers: Fields
  readonly pipe: Pipe
  /** What its headers and the texts of its head take. */
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

  /** The message leaves. */
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

  /** Dropped before it was finished: whoever reads must not take the half for the whole. */
  dispose(): void {
    this.pipe.fail(new HttpError('internal-error', 'the body was dropped before its end'))
  }

  /** Left behind by a guest that ended well: what was written is the body (the engine answers errors so). */
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

/** Where the guest puts its response; it has one chance. */
export class ResponseOutparam {
  used = false
  #body: Pipe | undefined
  readonly #settle: (response: GuestResponse) => void

  constructor(settle: (response: GuestResponse) => void) {
    this.#settle = settle
  }

  set(response: GuestResponse): void {
    this.used = true
    this.#body = response.body
    this.#settle(response)
  }

  /**
   * The guest came to its end in good order. A body it did not finish is over then, as on Spin: engines leave
   * the empty body of a 500 like that.
   */
  end(): void {
    if (this.#body && !this.#body.failure) this.#body.end()
  }
}

/** What a future came to that the guest dropped; it is never read. */
const DROPPED = new HttpError('internal-error', 'the future was dropped')

export class FutureResponse implements Pollable {
  readonly #settled = new Signal()
  readonly #abort: () => void
  #dropped = false
  outcome: GuestResponse | HttpError | undefined
  taken = false
  /** Bytes of the headers of a response that the guest has not taken yet. */
  bytes = 0

  /** @param account is charged with what arrives of the body and is not read. */
  constructor(response: Promise<GuestResponse>, abort: () => void, account?: Account) {
    this.#abort = abort
    const { era } = account ?? {}
    response.then(
      (message) => {
        // The guest may have ended, and the account be another request's.
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
    // A pollable may be left, which must not keep the response.
    this.outcome = DROPPED
  }

  #settle(outcome: GuestResponse | HttpError): void {
    if (this.#dropped) return this.#discard(outcome)
    this.outcome = outcome
    this.#settled.notify()
  }

  #discard(outcome: GuestResponse | HttpError): void {
    if (!(outcome instanceof HttpError)) outcome.body.cancel()
  }
}
