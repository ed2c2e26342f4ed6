/**
 * HTTP from outside: finds the route, hands the request to its component, streams the answer back.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isHeaderName, visibleHeaders } from '../instance/header-rules.ts'
import { HttpError } from '../instance/http-error.ts'
import { Pipe } from '../instance/pipe.ts'
import type { GuestRequest, GuestResponse } from '../instance/services.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { feed } from '../outbound/bodies.ts'
import { externalHeaders, withoutSpinHeaders } from '../routes/headers.ts'
import { RESERVED_PREFIX, type Routed, Router } from '../routes/router.ts'
import { RequestWatch, type RequestWatchOptions } from '../telemetry/request-watch.ts'
import { type ListenAddress, PortInUseError } from './listen-address.ts'
import { sendResponse } from './send-response.ts'

/** What lies behind the front: an application and whoever runs its components. */
export interface Served {
  manifest: Manifest
  dispatch: (
    component: string,
    request: GuestRequest,
    watch: RequestWatch | undefined,
  ) => Promise<GuestResponse>
}

export interface FrontOptions extends Served {
  /** Who wants to know of requests. */
  watch: RequestWatchOptions
  maxHeaderBytes: number
  maxBodyBytes: number
  onError: (entry: { component: string; message: string }) => void
}

/** Milliseconds an idle connection is kept; longer than the usual 60 s of proxies in front. */
const KEEP_ALIVE_MS = 65_000

const AUTHORITY = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/

export class Front {
  readonly #options: FrontOptions
  #served: Served
  #router: Router
  readonly #server: Server

  constructor(options: FrontOptions) {
    this.#options = options
    this.#served = options
    this.#router = new Router(options.manifest.triggers)
    this.#server = createServer(
      // Uploads may take as long as they take; heads may not (headersTimeout stays at a minute).
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        requestTimeout: 0,
        maxHeaderSize: options.maxHeaderBytes,
        noDelay: true,
      },
      (request, response) => void this.#serve(request, response),
    )
    this.#server.on('checkExpectation', (_, response: ServerResponse) => {
      response.writeHead(417).end()
    })
  }

  /** @throws {PortInUseError} */
  async listen({ host, port }: ListenAddress): Promise<AddressInfo> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new PortInUseError(host, port) : error),
      )
      this.#server.listen({ host, port }, resolve)
    })
    return this.#server.address() as AddressInfo
  }

  /** From now on requests go to `served`; those that have begun stay where they are. */
  serve(served: Served): void {
    this.#served = served
    this.#router = new Router(served.manifest.triggers)
  }

  /** Takes no more requests, waits for those that run, and cuts them off after `drainMs`. */
  async close(drainMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    const sweep = setInterval(() => this.#server.closeIdleConnections(), 50)
    const cut = setTimeout(() => this.#server.closeAllConnections(), drainMs)
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that leaves is no error; without a listener it would end the process.
    response.on('error', () => {})
    const target = parseTarget(request)
    const watch = this.#watch(request, response, target?.path ?? request.url ?? '')
    if (target === undefined) {
      response.writeHead(400).end()
      return
    }
    const pathname = target.path.replace(/\?.*$/s, '')
    if (pathname.startsWith(RESERVED_PREFIX)) return this.#serveReserved(pathname, response)
    const routed = this.#router.find(pathname)
    watch?.routed(routed?.route.written)
    if (!routed) {
      response.writeHead(404, { 'content-length': 0 }).end()
      return
    }
    if ('response' in routed.target) {
      const { status, headers, body } = routed.target.response
      response.writeHead(status, headers).end(body)
      watch?.sent(Buffer.byteLength(body ?? ''))
      return
    }
    const { component } = routed.target
    const { dispatch } = this.#served
    const { maxBodyBytes } = this.#options
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
      return refuseBody(response)
    }
    const client = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) client.abort()
    })
    try {
      const body = bodyOf(request, maxBodyBytes, () => {
        client.abort()
        refuseBody(response)
      })
      const guestRequest = {
        ...toGuestRequest(request, routed, target),
        body,
        signal: client.signal,
      }
      const answer = await dispatch(component, guestRequest, watch)
      await sendResponse(answer, response, request.method === 'HEAD', watch?.sent)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      watch?.failed(message)
      this.#fail(component, response, error)
    }
  }

  #watch(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): RequestWatch | undefined {
    const { watch } = this.#options
    if (!watch.onRequest && !watch.telemetry) return undefined
    return new RequestWatch(request, response, path.replace(/\?.*$/s, ''), watch)
  }

  #fail(component: string, response: ServerResponse, error: unknown): void {
    this.#options.onError({
      component,
      message: error instanceof Error ? error.message : String(error),
    })
    if (response.writableEnded) return
    if (response.headersSent) {
      // The client must see that the body is not whole.
      response.destroy()
      return
    }
    const code = error instanceof HttpError ? error.code : 'internal-error'
    if (code === 'connection-limit-reached') {
      response.writeHead(503, { 'retry-after': '1', 'content-length': 0 }).end()
    } else if (code === 'HTTP-request-body-size') refuseBody(response)
    else if (code === 'HTTP-response-timeout')
      response.writeHead(504, { 'content-length': 0 }).end()
    else response.writeHead(500, { 'content-length': 0 }).end()
  }

  #serveReserved(pathname: string, response: ServerResponse): void {
    const { name, version } = this.#served.manifest.application
    if (pathname === `${RESERVED_PREFIX}health`) response.writeHead(200).end('OK')
    else if (pathname === `${RESERVED_PREFIX}info`) {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ name, version }))
    } else response.writeHead(404, { 'content-length': 0 }).end()
  }
}

interface RequestTarget {
  path: string
  authority: string
}

function parseTarget({
  url = '/',
  headers: { host = 'localhost' },
}: IncomingMessage): RequestTarget | undefined {
  const [, absolute, rest] = /^http:\/\/([^/?]*)(.*)$/i.exec(url) ?? []
  const authority = absolute ?? host
  const path = absolute === undefined ? url : rest?.startsWith('/') ? rest : `/${rest}`
  // The authority becomes part of a URL: what is not a host would change its meaning.
  if (!AUTHORITY.test(authority) || !path.startsWith('/')) return undefined
  return { path: path.replace(/#.*$/s, ''), authority }
}

function toGuestRequest(
  request: IncomingMessage,
  routed: Routed,
  { path, authority }: RequestTarget,
): Omit<GuestRequest, 'body'> {
  const { socket, method = 'GET', rawHeaders } = request
  const client = `${socket.remoteAddress ?? '0.0.0.0'}:${socket.remotePort ?? 0}`
  const own = withoutSpinHeaders(visibleHeaders(rawHeaders)).filter(([name]) => isHeaderName(name))
  return {
    method,
    scheme: 'http',
    authority,
    path,
    headers: [...own, ...externalHeaders(routed, { path, authority, client })],
    depth: 0,
  }
}

function bodyOf(request: IncomingMessage, limit: number, onTooLong: () => void): Pipe {
  const { headers } = request
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return Pipe.empty()
  const pipe = new Pipe()
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit || pipe.failure) return
    pipe.fail(new HttpError('HTTP-request-body-size', `the body has more than ${limit} bytes`))
    onTooLong()
  })
  // What the guest does not want is read and thrown away, so that the client can read the answer.
  feed(request, pipe, () => request.resume())
  return pipe
}

function refuseBody(response: ServerResponse): void {
  // The rest of the body would be taken for the next request.
  if (response.headersSent) response.destroy()
  else response.writeHead(413, { 'content-length': 0, connection: 'close' }).end()
}
