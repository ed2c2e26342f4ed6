/** The open connections: how many there may be, and one request at a time on each. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientAddresses } from './client-address.ts'
import { Tally } from './tally.ts'

export interface ConnectionsOptions {
  /** Beyond it an idle connection is closed for each new one. */
  maxConnections: number
  /** Of one client address. */
  maxClientConnections: number
  /** Milliseconds the rest of a body has after the request was answered. */
  bodyIdleMs: number
  addresses: ClientAddresses
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void
type Exchange = [request: IncomingMessage, response: ServerResponse]

interface Connection {
  /** A request of it is being served. */
  busy: boolean
  /** Requests that came behind it. */
  waiting: Exchange[]
  /** The address its peer is counted under; `undefined` for a trusted one. */
  key: string | undefined
}

/**
 * Requests that may wait behind another on one connection (pipelining). Programs that do it at all send a few; each one
 * waits as a parsed head, so a connection that sends more is closed.
 */
const MAX_PIPELINED = 100

export class Connections {
  readonly #options: ConnectionsOptions
  readonly #open = new Map<Socket, Connection>()
  /** Those that have not sent a whole head yet, the oldest first. */
  readonly #fresh = new Set<Socket>()
  /** Those that wait for their next request, the one that has waited longest first. */
  readonly #kept = new Set<Socket>()
  readonly #clients: Tally

  constructor(server: Server, options: ConnectionsOptions) {
    this.#options = options
    this.#clients = new Tally(options.maxClientConnections)
    server.on('connection', (socket: Socket) => this.#opened(socket))
  }

  /** Calls `serve` once the requests before it on its connection have been answered. */
  begin(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const { socket } = request
    const connection = this.#open.get(socket)
    if (connection === undefined || socket.destroyed) return
    if (!connection.busy) return this.#serve(connection, [request, response], serve)
    connection.waiting.push([request, response])
    if (connection.waiting.length > MAX_PIPELINED) socket.destroy()
  }

  /** The address a request's client is counted under; `undefined` where it is not counted. */
  clientOf({ socket, headers }: IncomingMessage): string | undefined {
    const key = this.#open.get(socket)?.key
    const forwardedFor = headers['x-forwarded-for']
    if (key !== undefined || forwardedFor === undefined) return key
    return this.#options.addresses.keyOf(socket.remoteAddress ?? '', String(forwardedFor))
  }

  #serve(connection: Connection, exchange: Exchange, serve: Serve): void {
    const [request, response] = exchange
    const { socket } = request
    connection.busy = true
    this.#fresh.delete(socket)
    this.#kept.delete(socket)
    response.once('close', () => {
      connection.busy = false
      if (socket.destroyed) return
      if (!request.complete) this.#expectRest(request)
      const next = connection.waiting.shift()
      if (next) this.#serve(connection, next, serve)
      else this.#kept.add(socket)
    })
    serve(request, response)
  }

  /** A body that no guest reads is still read to its end, because the next request comes behind it. */
  #expectRest(request: IncomingMessage): void {
    const cut = setTimeout(() => request.socket.destroy(), this.#options.bodyIdleMs).unref()
    const over = () => clearTimeout(cut)
    request.once('end', over)
    request.once('close', over)
  }

  #opened(socket: Socket): void {
    const key = this.#options.addresses.keyOf(socket.remoteAddress ?? '', undefined)
    if (!this.#clients.enter(key)) {
      socket.destroy()
      return
    }
    socket.once('close', () => {
      this.#clients.leave(key)
      this.#forget(socket)
    })
    if (this.#open.size >= this.#options.maxConnections && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    this.#open.set(socket, { busy: false, waiting: [], key })
    this.#fresh.add(socket)
  }

  /** Closes the connection that has been idle for longest, of the kind there is more of: a flood pays for itself. */
  #makeRoom(): boolean {
    const [longest] = this.#fresh.size >= this.#kept.size ? this.#fresh : this.#kept
    if (longest === undefined) return false
    this.#forget(longest)
    longest.destroy()
    return true
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    this.#fresh.delete(socket)
    this.#kept.delete(socket)
  }
}
