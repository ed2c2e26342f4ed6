/**
 * A component's response on the wire.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { announcedLength } from '../instance/content-length.ts'
import { HttpError } from '../instance/http-error.ts'
import type { GuestResponse, HeaderEntry } from '../instance/services.ts'
import { pump } from '../outbound/bodies.ts'

/** Statuses whose responses have no body, whatever the component wrote. */
const BODYLESS = [204, 205, 304]

/**
 * Headers that say where a message ends or belong to the connection. The host alone writes them: two programs that
 * read a response differently take a part of its body for another response.
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

/**
 * Sends the head at once, and each piece of the body as soon as the component has written it.
 *
 * @param onSent is told of every piece of the body, in bytes.
 * @throws {HttpError} when the component broke off, or its body has another length than it announced.
 */
export async function sendResponse(
  { status, headers, body }: GuestResponse,
  response: ServerResponse,
  isHead: boolean,
  onSent?: (bytes: number) => void,
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
    // To HEAD, and with 304, the length is that of the body there would be. 204 has none at all.
    if (status === 205) raw.push('content-length', '0')
    else if (status !== 204 && length !== undefined) raw.push('content-length', String(length))
    response.writeHead(status, raw).end()
    return
  }
  const whole = body.ended ? body.queued : undefined
  const framed = length ?? whole
  if (framed !== undefined) raw.push('content-length', String(framed))
  response.writeHead(status, raw)
  if (!body.ready()) response.flushHeaders()
  await pump(body, response, length, onSent)
}

/** The other headers, as Node takes them. It refuses names and values with control characters. */
function withoutFraming(headers: readonly HeaderEntry[]): string[] {
  const raw: string[] = []
  for (const [name, value] of headers) {
    if (!FRAMING.has(name)) raw.push(name, value)
  }
  return raw
}
