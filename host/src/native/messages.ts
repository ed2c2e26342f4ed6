/** `Request` and `Response` of the native gateway, over what the host has of a message. */
import { Body, type Content } from './body.ts'
import { type HeadersSource, NativeHeaders } from './headers.ts'

type BodySource = Content | URLSearchParams | ArrayBuffer

export interface NativeRequestInit {
  method?: string
  headers?: HeadersSource | null
  body?: BodySource | undefined
  signal?: AbortSignal | null
  redirect?: RequestRedirect
}

export class NativeRequest extends Body {
  readonly method: string
  readonly url: string
  readonly headers: NativeHeaders
  readonly signal: AbortSignal | null

  constructor(input: string | URL | NativeRequest | Received, init: NativeRequestInit = {}) {
    super(bodyOf(input, init))
    const from = input instanceof NativeRequest || input instanceof Received ? input : undefined
    this.method = methodOf(init.method ?? from?.method ?? 'GET')
    this.url = from ? from.url : new URL(input as string | URL).href
    this.headers =
      input instanceof Received ? input.headers : new NativeHeaders(init.headers ?? from?.headers)
    this.signal = init.signal ?? (input instanceof NativeRequest ? input.signal : null)
    addType(this.headers, init.body)
  }
}

/** A request of a client, whose parts the host has checked. */
export class Received {
  readonly method: string
  readonly url: string
  readonly headers: NativeHeaders
  readonly content: Content

  constructor(method: string, url: string, headers: NativeHeaders, content: Content) {
    this.method = method
    this.url = url
    this.headers = headers
    this.content = content
  }
}

function bodyOf(
  input: string | URL | NativeRequest | Received,
  { body }: NativeRequestInit,
): Content {
  if (body !== undefined) return contentOf(body)
  if (input instanceof Received) return input.content
  return input instanceof NativeRequest ? Body.take(input) : null
}

export interface NativeResponseInit {
  status?: number
  statusText?: string
  headers?: HeadersSource | null
}

const WITHOUT_BODY = new Set([101, 103, 204, 205, 304])

/** Whether responses with this status have no body. */
export function hasNoBody(status: number): boolean {
  return WITHOUT_BODY.has(status)
}

export class NativeResponse extends Body {
  readonly status: number
  readonly statusText: string
  readonly headers: NativeHeaders

  constructor(body: BodySource | undefined = null, init: NativeResponseInit = {}) {
    super(contentOf(body))
    const { status = 200, statusText = '', headers } = init
    if (!(status >= 200 && status <= 599)) throw new RangeError(`Invalid status: ${status}`)
    if (body !== null && hasNoBody(status)) {
      throw new TypeError(`A response with status ${status} has no body.`)
    }
    this.status = status
    this.statusText = statusText
    this.headers = headers instanceof NativeHeaders ? headers : new NativeHeaders(headers)
    addType(this.headers, body)
  }

  static json(value: unknown, init: NativeResponseInit = {}): NativeResponse {
    const headers = new NativeHeaders(init.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new NativeResponse(JSON.stringify(value), { ...init, headers })
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299
  }

  /** @throws {TypeError} when the body was read already. */
  clone(): NativeResponse {
    const { status, statusText } = this
    const headers = new NativeHeaders(this.headers)
    return new NativeResponse(Body.copy(this), { status, statusText, headers })
  }
}

function contentOf(body: BodySource | undefined): Content {
  if (body === undefined) return null
  if (body instanceof URLSearchParams) return body.toString()
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body
}

function addType(headers: NativeHeaders, body: BodySource | undefined): void {
  const type =
    typeof body === 'string'
      ? 'text/plain;charset=UTF-8'
      : body instanceof URLSearchParams
        ? 'application/x-www-form-urlencoded;charset=UTF-8'
        : undefined
  if (type && !headers.has('content-type')) headers.append('content-type', type)
}

const NORMALIZED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])

function methodOf(method: string): string {
  const upper = method.toUpperCase()
  return NORMALIZED.has(upper) ? upper : method
}
