/** What ends a chat, in words that say what to do. */

/** Its message is for the client: no key, no stack, no address with credentials. */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure'
  /** Of the response, where no line has been sent yet. */
  readonly status: number
  readonly code: string
  /** The field of the request it is about. */
  readonly field: string | undefined
  constructor(status: number, code: string, message: string, field?: string) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

/** 400: the request has not the form it must have. */
export function badRequest(message: string, field?: string): ChatFailure {
  return new ChatFailure(400, 'invalid_request', message, field)
}

/** 413: more than may be given to a model at once. */
export function tooLarge(message: string, field?: string): ChatFailure {
  return new ChatFailure(413, 'too_large', message, field)
}

/** 502: the model did not do its part. */
export function modelFailure(code: string, message: string): ChatFailure {
  return new ChatFailure(502, code, message)
}
