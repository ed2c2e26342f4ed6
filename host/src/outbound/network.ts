/**
 * Requests of components to the network, by Node's HTTP client.
 *
 * Nothing is added but `host` and the framing, no redirect is followed, and bodies stream both ways.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { visibleHeaders } from '../http/header-rules.ts'
import { HttpError, type HttpErrorCode } from '../http/http-error.ts'
import { http, https } from '../http/node-http.ts'
import { Pipe } from '../http/pipe.ts'
import type { OutboundRequest } from '../instance/services.ts'
import type { HttpResponse } from '../http/messages.ts'
import { feed, pump } from '../http/bodies.ts'
import { checkedLookup, type Resolve, systemResolve } from './checked-lookup.ts'
import { Connections } from './connections.ts'
import { Deadline } from '../http/deadline.ts'
import { type RequestHead, requestHead } from './request-head.ts'

export interface Target {
  secure: boolean
  /** A name or an address, without brackets. */
  host: string
  port: number
  /** Whether the connection may be made to this address, where `host` is a name. @default any */
  allows?: (address: string) => boolean
  /** Is given the addresses of a name none of which is allowed. */
  refused?: (addresses: readonly string[]) => void
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
function toHttpError(error: NodeJS.ErrnoException): HttpError {
  if (error instanceof HttpError) return error
  const { code = '' } = error
  const known = CODES[code]
  if (known) return new HttpError(known, error.message)
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return new HttpError('TLS-certificate-error', error.message)
  }
  if (/^ERR_SSL/.test(code)) return new HttpError('TLS-protocol-error', error.message)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HttpError('HTTP-response-header-section-size', error.message)
  }
  if (/^HPE_/.test(code)) return new HttpError('HTTP-protocol-error', error.message)
  return new HttpError('internal-error', error.message)
}

const ASCII = /^[\x21-\x7e]*$/

/**
 * Bytes of a response's head. Node's default, 16 KiB, is less than some servers send in cookies and policies.
 */
const MAX_RESPONSE_HEAD = 64 * 1024

/** Interim responses (1xx) to one request; a server could send them until the time for the first byte is over. */
const MAX_INTERIM_RESPONSES = 32

/**
 * Requests one component may have under way in one thread, those that wait for a connection included. Each costs the
 * host some ten kilobytes.
 */
const MAX_REQUESTS = 1000

/** What goes out on the connections of one component. */
export class Network {
  readonly #connections = new Connections()
  readonly #resolve: Resolve
  #underWay = 0

  /** @param resolve gives the addresses of a name. @default the system's resolver */
  constructor(resolve: Resolve = systemResolve) {
    this.#resolve = resolve
  }

  /** @throws {HttpError} */
  async send(request: OutboundRequest, target: Target): Promise<HttpResponse> {
    // A guest hands over the request before it has ended the body, which is often empty.
    if (!request.body.ended) await new Promise((resolve) => setImmediate(resolve))
    const empty = request.body.ended && request.body.queued === 0
    const head = requestHead(request, empty)
    try {
      return await this.#attempt(request, target, head, empty)
    } catch (error) {
      // The server closed a kept connection just as it was used again.
      if (!(error instanceof StaleConnection)) throw error
      return this.#attempt(request, target, head, empty)
    }
  }

  close(): void {
    this.#connections.close()
  }

  #attempt(
    request: OutboundRequest,
    target: Target,
    { raw, length }: RequestHead,
    empty: boolean,
  ): Promise<HttpResponse> {
    const { method, path, body, signal } = request
    if (this.#underWay >= MAX_REQUESTS) throw new HttpError('connection-limit-reached')
    return new Promise((resolve, reject) => {
      const client = (target.secure ? https : http).request({
        method,
        host: target.host,
        port: target.port,
        // Node writes the low byte of each character; characters beyond ASCII leave as UTF-8, as on Spin.
        path: ASCII.test(path) ? path : Buffer.from(path).toString('latin1'),
        headers: raw,
        agent: this.#connections.agent(target.secure),
        lookup: checkedLookup(this.#resolve, target),
        maxHeaderSize: MAX_RESPONSE_HEAD,
        signal,
      })
      this.#underWay++
      const connecting = new Deadline(request.connectTimeoutMs, () =>
        client.destroy(new HttpError('connection-timeout')),
      )
      const waiting = new Deadline(request.firstByteTimeoutMs, () =>
        client.destroy(new HttpError('HTTP-response-timeout')),
      )
      let interim = 0
      client.once('socket', (socket) => {
        if (!socket.connecting) connecting.clear()
        else socket.once(target.secure ? 'secureConnect' : 'connect', () => connecting.clear())
      })
      client.on('information', () => {
        if (++interim > MAX_INTERIM_RESPONSES) client.destroy(new HttpError('HTTP-protocol-error'))
      })
      let responded = false
      client.once('response', (message) => {
        responded = true
        waiting.clear()
        resolve(receive(client, message, request.betweenBytesTimeoutMs))
      })
      // No component can ask for another protocol, so a server that changes to one is wrong.
      client.once('upgrade', (_, socket) => {
        socket.destroy()
        reject(new HttpError('HTTP-upgrade-failed'))
      })
      client.on('error', (error: NodeJS.ErrnoException) => {
        const repeatable = empty && method !== 'POST' && method !== 'PATCH'
        const stale = repeatable && client.reusedSocket && error.code === 'ECONNRESET'
        if (!stale) body.cancel()
        reject(stale ? new StaleConnection() : toHttpError(error))
      })
      client.once('close', () => {
        this.#underWay--
        connecting.clear()
        waiting.clear()
        // Whatever ended it: the guest does not wait on. Not made after a response: an error takes as long as a read.
        if (!responded) reject(new HttpError('connection-terminated'))
      })
      if (empty) client.end()
      else pump(body, client, length).catch((error: Error) => client.destroy(error))
    })
  }
}

class StaleConnection extends Error {}

function receive(
  client: ClientRequest,
  message: IncomingMessage,
  betweenBytesMs: number,
): HttpResponse {
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
