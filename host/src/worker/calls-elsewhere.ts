/** Calls of guests in this thread to components that run in another one. The main thread passes them on. */
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import type { CallTree } from '../instance/call-tree.ts'
import type { GuestRequest } from '../instance/services.ts'
import { BodyReceiver } from '../wire/body-receiver.ts'
import { BodySender } from '../wire/body-sender.ts'
import type { FromWorker, Post, ToWorker } from '../wire/messages.ts'
import { filled, wholeBody } from '../wire/whole-body.ts'

/** What the main thread sends about a call. */
export type CallMessage = Extract<ToWorker, { id: number }>

export class CallsElsewhere {
  readonly #post: Post<FromWorker>
  readonly #calls = new Map<number, CallElsewhere>()
  #ids = 0

  constructor(post: Post<FromWorker>) {
    this.#post = post
  }

  get size(): number {
    return this.#calls.size
  }

  /** @throws {HttpError} when the component gives no answer. */
  async send(component: string, request: GuestRequest): Promise<HttpResponse> {
    const id = --this.#ids
    const call = new CallElsewhere(id, this.#post, () => this.#calls.delete(id))
    this.#calls.set(id, call)
    return call.send(component, request)
  }

  receive(message: CallMessage): void {
    this.#calls.get(message.id)?.receive(message)
  }
}

class CallElsewhere {
  readonly #id: number
  readonly #post: Post<FromWorker>
  readonly #onOver: () => void
  readonly #answer = Promise.withResolvers<HttpResponse>()
  #sender: BodySender | undefined
  #receiver: BodyReceiver | undefined
  #signal: AbortSignal | undefined
  #tree: CallTree | undefined
  /** The component may answer before it has read the whole body. */
  #isBodyOver = false
  #isAnswerOver = false

  constructor(id: number, post: Post<FromWorker>, onOver: () => void) {
    this.#id = id
    this.#post = post
    this.#onOver = onOver
  }

  async send(component: string, request: GuestRequest): Promise<HttpResponse> {
    const { method, scheme, authority, path, headers, depth, tree, place, span, signal } = request
    const body = await wholeBody(request.body)
    if (signal?.aborted) {
      this.#onOver()
      throw new HttpError('connection-terminated')
    }
    this.#signal = signal
    this.#tree = tree
    signal?.addEventListener('abort', this.#left)
    this.#post({
      type: 'call',
      id: this.#id,
      request: tree?.id ?? 0,
      component,
      nth: place?.nth ?? 0,
      head: { method, scheme, authority, path, headers },
      body,
      origin: {
        depth,
        headers: tree?.outsideHeaders ?? [],
        callers: [...(tree?.callers ?? [])],
      },
      trace: tree?.trace?.parented(span),
    })
    if (body === undefined) {
      this.#sender = new BodySender(this.#id, request.body, this.#post, () => this.#bodyOver())
    } else this.#bodyOver()
    return this.#answer.promise
  }

  receive(message: CallMessage): void {
    switch (message.type) {
      case 'answer':
        return this.#answered(message)
      case 'unanswered':
        this.#answer.reject(new HttpError(message.code, message.message))
        return this.#end()
      case 'ack':
        return this.#sender?.ack(message.bytes)
      case 'cancel':
        return this.#sender?.cancel()
      case 'chunk':
        return this.#receiver?.chunk(message.bytes)
      case 'end':
        this.#receiver?.end()
        return this.#answerOver()
      case 'fail':
        this.#receiver?.fail(message.code, message.message)
        return this.#answerOver()
    }
  }

  #answered({ status, headers, body, report }: Extract<ToWorker, { type: 'answer' }>): void {
    this.#signal?.removeEventListener('abort', this.#left)
    if (this.#tree) Object.assign(this.#tree.report, report)
    if (body !== undefined) {
      this.#answer.resolve({ status, headers, body: filled(new Pipe(), body) })
      return this.#answerOver()
    }
    this.#receiver = new BodyReceiver(this.#id, (message) => {
      this.#post(message)
      if (message.type === 'cancel') this.#answerOver()
    })
    this.#answer.resolve({ status, headers, body: this.#receiver.pipe })
  }

  readonly #left = (): void => {
    this.#post({ type: 'left', id: this.#id })
    this.#answer.reject(new HttpError('connection-terminated'))
    this.#end()
  }

  #bodyOver(): void {
    this.#isBodyOver = true
    if (this.#isAnswerOver) this.#end()
  }

  #answerOver(): void {
    this.#isAnswerOver = true
    if (this.#isBodyOver) this.#end()
  }

  #end(): void {
    this.#signal?.removeEventListener('abort', this.#left)
    this.#sender?.cancel()
    this.#onOver()
  }
}
