/** The main thread's side of a guest's call to a component that runs in another worker. */
import { HttpError } from '../http/http-error.ts'
import type { HttpRequest, HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import { BodyReceiver } from '../wire/body-receiver.ts'
import { BodySender } from '../wire/body-sender.ts'
import type { BodyMessage, FromWorker, Post, ToWorker } from '../wire/messages.ts'
import { filled, wholeBody } from '../wire/whole-body.ts'

export type CallMessage = Extract<FromWorker, { type: 'call' }>

export class InnerCall {
  readonly request: HttpRequest
  readonly #id: number
  readonly #post: Post<ToWorker>
  readonly #caller = new AbortController()
  readonly #onOver: () => void
  #receiver: BodyReceiver | undefined
  #sender: BodySender | undefined
  /** The component may answer before it has read the whole body. */
  #isBodyOver = false
  #isAnswerOver = false

  /** @param post to the worker whose guest calls. @param onOver nothing more is sent to it, or expected of it. */
  constructor({ id, head, body }: CallMessage, post: Post<ToWorker>, onOver: () => void) {
    this.#id = id
    this.#post = post
    this.#onOver = onOver
    if (body === undefined) {
      this.#receiver = new BodyReceiver(id, (message) => {
        post(message)
        if (message.type === 'cancel') this.#bodyOver()
      })
    } else this.#isBodyOver = true
    const pipe = this.#receiver?.pipe ?? filled(new Pipe(), body ?? new Uint8Array())
    this.request = { ...head, body: pipe, signal: this.#caller.signal }
  }

  /** Sends the answer to the guest, as it arrives. */
  async follow(answer: Promise<HttpResponse>): Promise<void> {
    const id = this.#id
    try {
      const { status, headers, body: pipe, report } = await answer
      const body = await wholeBody(pipe)
      if (this.#caller.signal.aborted) return pipe.cancel()
      this.#post({ type: 'answer', id, status, headers, body, report })
      if (body !== undefined) return this.#answerOver()
      this.#sender = new BodySender(id, pipe, this.#post, () => this.#answerOver())
    } catch (error) {
      const { code, message } = asHttpError(error)
      // What the guest would see if the component had failed in its own thread.
      if (code === 'internal-error') {
        const failed = { status: 500, headers: [], body: new Uint8Array(), report: undefined }
        this.#post({ type: 'answer', id, ...failed })
      } else this.#post({ type: 'unanswered', id, code, message })
      this.#end()
    }
  }

  receive(message: BodyMessage): void {
    switch (message.type) {
      case 'chunk':
        return this.#receiver?.chunk(message.bytes)
      case 'end':
        this.#receiver?.end()
        return this.#bodyOver()
      case 'fail':
        this.#receiver?.fail(message.code, message.message)
        return this.#bodyOver()
      case 'ack':
        return this.#sender?.ack(message.bytes)
      case 'cancel':
        return this.#sender?.cancel()
    }
  }

  /** The guest does not wait any more, or its thread has ended. */
  left(): void {
    this.#caller.abort()
    this.#sender?.cancel()
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

  // What the guest still sends arrives nowhere.
  #end(): void {
    this.#receiver?.fail('connection-terminated', 'the call is over')
    this.#onOver()
  }
}

function asHttpError(error: unknown): HttpError {
  return error instanceof HttpError ? error : new HttpError('internal-error', String(error))
}
