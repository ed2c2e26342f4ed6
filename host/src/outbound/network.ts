/**
 * Requests of components to the network, by Node's HTTP client.
 *
 * Nothing is added but `host` and the framing, no redirect is followed, and bodies stream both ways.
 *
 * @module
 */
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { visibleHeaders } from '../instance/header-rules.ts'
import { HttpError, type HttpErrorCode } from '../instance/http-error.ts'
import { Pipe } from '../instance/pipe.ts'
import type { GuestResponse, OutboundRequest } from '../instance/services.ts'
import { contentLength, feed, pump } from './bodies.ts'
import { Deadline } from './deadline.ts'

export interface Target {
  secure: boolean
  host: string
  port: number
}

const CODES: Readonly<Record<string, HttpErrorCode>> = {
  ENOTFOUND: 'DNS-error',
  EAI_AGAIN: 'DNS-timeout',
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-terminated',
  EPIPE: 'connection-terminated',
  ETIMEDOUT: 'connection-timeout',
  EHOSTUNREACH: 'destination-IP-unroutable',
  ENETUNREACH: 'destination-IP-unroutable',
  EPROTO: 'TLS-protocol-error',
}

/** The error a guest sees for one of Node's. */
export function toHttpError(error: NodeJS.ErrnoException): HttpError {
  if (error instanceof HttpError) return error
  const { code = '' } = error
  const known = CODES[code]
  if (known) return new HttpError(known, error.message)
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return new HttpError('TLS-certificate-error', error.message)
  }
  if (/^ERR_SSL/.test(code)) return new HttpError('TLS-protocol-error', error.message)
  if (/^HPE_/.test(code)) return new HttpError('HTTP-protocol-error', error.message)
  return new HttpError('internal-error', error.message)
}

export class Network {
  readonly #plain = new http.Agent({ keepAlive: true })
  readonly #secure = new https.Agent({ keepAlive: true })

  /** @throws {HttpError} */
  async send(request: OutboundRequest, target: Target): Promise<GuestResponse> {
    // A guest hands over the request before it has ended the body, which is often empty.
    if (!request.body.ended) await new Promise((resolve) => setImmediate(resolve))
    const empty = request.body.ended && request.body.queued === 0
    try {
      return await this.#attempt(request, target, empty)
    } catch (error) {
      // The server closed a kept connection just as it was used again.
      if (!(error instanceof StaleConnection)) throw error
      return this.#attempt(request, target, empty)
    }
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #attempt(request: OutboundRequest, target: Target, empty: boolean): Promise<GuestResponse> {
    const { method, body, signal } = request
    return new Promise((resolve, reject) => {
      const client = (target.secure ? https : http).request({
        method,
        host: target.host,
        port: target.port,
        path: request.path,
        headers: rawHeaders(request, empty),
        agent: target.secure ? this.#secure : this.#plain,
        signal,
      })
      const connecting = new Deadline(request.connectTimeoutMs, () =>
        client.destroy(new HttpError('connection-timeout')),
      )
      const waiting = new Deadline(request.firstByteTimeoutMs, () =>
        client.destroy(new HttpError('HTTP-response-timeout')),
      )
      client.once('socket', (socket) => {
        if (!socket.connecting) connecting.clear()
        else socket.once(target.secure ? 'secureConnect' : 'connect', () => connecting.clear())
      })
      client.once('response', (message) => {
        waiting.clear()
        resolve(receive(client, message, request.betweenBytesTimeoutMs))
      })
      client.on('error', (error: NodeJS.ErrnoException) => {
        connecting.clear()
        waiting.clear()
        const repeatable = empty && method !== 'POST' && method !== 'PATCH'
        const stale = repeatable && client.reusedSocket && error.code === 'ECONNRESET'
        if (!stale) body.cancel()
        reject(stale ? new StaleConnection() : toHttpError(error))
      })
      if (empty) client.end()
      else {
        pump(body, client, contentLength(request.headers)).catch((error: Error) =>
          client.destroy(error),
        )
      }
    })
  }
}

class StaleConnection extends Error {}

function rawHeaders({ authority, headers, method }: OutboundRequest, empty: boolean): string[] {
  const raw = ['host', authority, ...headers.flat()]
  if (contentLength(headers) !== undefined) return raw
  // Without a length the body would end with the connection, or worse, become the next request.
  if (!empty) raw.push('transfer-encoding', 'chunked')
  else if (!['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)) {
    raw.push('content-length', '0')
  }
  return raw
}

function receive(
  client: ClientRequest,
  message: IncomingMessage,
  betweenBytesMs: number,
): GuestResponse {
  const body = new Pipe()
  const silence = new Deadline(betweenBytesMs, () => {
    body.fail(new HttpError('connection-read-timeout'))
    message.destroy()
  })
  message.on('data', () => silence.restart())
  message.once('close', () => silence.clear())
  feed(message, body, () => client.destroy())
  return { status: message.statusCode ?? 502, headers: visibleHeaders(message.rawHeaders), body }
}
