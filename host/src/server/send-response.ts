/** Sends a component's response to the client. */
import { announcedLength, type HeaderEntry } from '../http/header-rules.ts'
import type { ServerResponse } from 'node:http'
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { pump } from '../http/bodies.ts'

/** Statuses whose responses have no body, whatever the component wrote. */
const BODYLESS = [204, 205, 304]

/**
 * Headers that define where a message ends, or belong to the connection. Only the host writes them: otherwise two
 * programs could read a response differently, and one would treat a part of its body as another response.
 */
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export interface SendOptions {
  /** Whether the request was `HEAD`. */
  isHead: boolean
  /** Bytes of the body. */
  maxBytes: number
  /** Called with the size of every piece of the body, in bytes. */
  onSent?: ((bytes: number) => void) | undefined
}

/**
 * Sends the head at once, and each piece of the body as soon as the component has written it.
 *
 * @throws {HttpError} when the component fails during the body, its length is not the announced one, or it is too long.
 */
export async function sendResponse(
  { status, headers, body }: HttpResponse,
  response: ServerResponse,
  { isHead, maxBytes, onSent }: SendOptions,
): Promise<void> {
  if (response.destroyed || response.headersSent) {
    body.cancel()
    return
  }
  if (status < 200) {
    body.cancel()
    throw new HttpError('HTTP-protocol-error', `answered with the status ${status}`)
  }
  const announced = announcedLength(headers)
  const length = announced === 'invalid' ? undefined : announced
  const raw = withoutFraming(headers)
  if (isHead || BODYLESS.includes(status)) {
    body.cancel()
    // For HEAD and 304, the length is that of the body a GET would return. 204 must not have a length.
    if (status === 205) raw.push('content-length', '0')
    else if (status !== 204 && length !== undefined) raw.push('content-length', String(length))
    response.writeHead(status, raw).end()
    return
  }
  const whole = body.ended ? body.queued : undefined
  const framed = length ?? whole
  if (framed !== undefined && framed > maxBytes) {
    body.cancel()
    throw tooLong(maxBytes)
  }
  if (framed !== undefined) raw.push('content-length', String(framed))
  response.writeHead(status, raw)
  if (!body.ready()) response.flushHeaders()
  let sent = 0
  await pump(body, response, length, (bytes) => {
    sent += bytes
    if (sent > maxBytes) throw tooLong(maxBytes)
    onSent?.(bytes)
  })
}

function tooLong(maxBytes: number): HttpError {
  return new HttpError(
    'HTTP-response-body-size',
    `the response is longer than ${maxBytes} bytes, the limit of this host`,
  )
}

/** The other headers, in Node's format. Node refuses names and values with control characters. */
function withoutFraming(headers: readonly HeaderEntry[]): string[] {
  const raw: string[] = []
  for (const [name, value] of headers) {
    if (!FRAMING.has(name)) raw.push(name, value)
  }
  return raw
}
