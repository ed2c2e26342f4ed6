import { CallTree } from '../instance/call-tree.ts'
import { HttpError } from '../http/http-error.ts'
import { Pipe } from '../http/pipe.ts'
import type { HttpResponse } from '../http/messages.ts'
import { RequestSpans } from '../requests/request-spans.ts'
import { BodyReceiver } from '../wire/body-receiver.ts'
import { BodySender } from '../wire/body-sender.ts'
import type { Done } from '../wire/request-end.ts'
import type { BodyMessage, FromWorker, Post, ToWorker } from '../wire/messages.ts'
import { filled, wholeBody } from '../wire/whole-body.ts'
import type { Components } from './components.ts'

type RequestMessage = Extract<ToWorker, { type: 'request' }>

export interface ServedRequestOptions {
  post: Post<FromWorker>
  onOver: () => void
}

/** The worker's side of a request, from its first message until the last of its guests has ended. */
export class ServedRequest {
  readonly #id: number
  readonly #post: Post<FromWorker>
  readonly #tree: CallTree
  readonly #caller = new AbortController()
  #request: BodyReceiver | undefined
  #response: BodySender | undefined
  #guestsEnded = false
  #answered = false
  readonly #onOver: () => void

  constructor(
    { id, component, head, body, avoid, trace, sender, origin }: RequestMessage,
    components: Components,
    { post, onOver }: ServedRequestOptions,
  ) {
    this.#id = id
    this.#post = post
    this.#onOver = onOver
    this.#tree = new CallTree({
      id,
      sender,
      origin,
      components: components.ids,
      headers: head.headers,
      avoid,
      ...(trace && { trace: new RequestSpans(trace) }),
      ...(components.beforeEffect && { beforeEffect: components.beforeEffect }),
      onEffect: (place) => post({ type: 'effect', id, place }),
      onEnd: () => this.#end(),
    })
    if (body === undefined) this.#request = new BodyReceiver(id, post)
    const request = {
      ...head,
      body: this.#request?.pipe ?? filled(new Pipe(), body ?? new Uint8Array()),
      depth: origin?.depth ?? 0,
      tree: this.#tree,
      place: this.#tree.place(component),
      signal: this.#caller.signal,
    }
    const answer = components.serve(component, request)
    if (answer === undefined) this.#refuse(new HttpError('destination-not-found'))
    else {
      answer.then(
        (response) => void this.#respond(response),
        (error: unknown) => this.#refuse(error),
      )
    }
  }

  /** The client disconnected before it got a response. */
  left(): void {
    this.#caller.abort()
  }

  abandon(reason: string): void {
    this.#tree.abandon(reason)
  }

  receive(message: BodyMessage): void {
    if (message.type === 'chunk') this.#request?.chunk(message.bytes)
    else if (message.type === 'end') this.#request?.end()
    else if (message.type === 'fail') this.#request?.fail(message.code, message.message)
    else if (message.type === 'ack') this.#response?.ack(message.bytes)
    else this.#response?.cancel()
  }

  async #respond({ status, headers, body: pipe }: HttpResponse): Promise<void> {
    const body = await wholeBody(pipe, () => this.#tree.waitingForThread > 0)
    const { chain, calls, report } = this.#tree
    const id = this.#id
    const response = { type: 'response', id, status, headers, body, chain, calls, report } as const
    if (body !== undefined && this.#guestsEnded) {
      this.#post({ ...response, done: this.#done() })
      return this.#onOver()
    }
    this.#post(response)
    if (body !== undefined) return this.#answer()
    this.#response = new BodySender(this.#id, pipe, this.#post, () => this.#answer())
  }

  #refuse(error: unknown): void {
    const { code, message } =
      error instanceof HttpError ? error : new HttpError('internal-error', String(error))
    this.#post({ type: 'refused', id: this.#id, code, message })
    this.#guestsEnded = true
    this.#answer()
  }

  #answer(): void {
    this.#answered = true
    if (this.#guestsEnded) this.#end()
  }

  // `done` must be the last message of a request: the main thread drops the request when it receives it.
  #end(): void {
    this.#guestsEnded = true
    if (!this.#answered) return
    this.#post({ type: 'done', id: this.#id, ...this.#done() })
    this.#onOver()
  }

  #done(): Done {
    const { chain, calls, trace } = this.#tree
    const { spans, dropped: droppedSpans = 0 } = trace?.finish() ?? {}
    return { chain, calls, spans, droppedSpans }
  }
}
