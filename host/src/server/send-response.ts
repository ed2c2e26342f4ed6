/**
 * A component's response on the wire.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { HttpError } from '../instance/http-error.ts'
import type { GuestResponse } from '../instance/services.ts'
import { contentLength, pump } from '../outbound/bodies.ts'

/** Statuses whose responses have no body, whatever the component wrote. */
const BODYLESS = [204, 205, 304]

/**
 * Sends the head at once, and each piece of the body as soon as the component has written it.
 *
 * @param onSent is told of every piece of the body, in bytes.
 * @throws {HttpError} when the component broke off.
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
  const length = contentLength(headers)
  const isWhole = body.ended && length === undefined
  const raw = headers.flat()
  if (isHead || BODYLESS.includes(status)) {
    body.cancel()
    response.writeHead(status, raw).end()
    return
  }
  if (isWhole) raw.push('content-length', String(body.queued))
  response.writeHead(status, raw)
  if (!body.ready()) response.flushHeaders()
  await pump(body, response, length, onSent)
}
