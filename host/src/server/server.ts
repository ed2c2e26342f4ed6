/** HTTP from outside: finds the route, hands the request to its component, streams the answer back. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ACTIVITY_PATH } from '../activity/activity.ts'
import { callingComponents } from '../audit/killed.ts'
import { isHeaderName, visibleHeaders } from '../http/header-rules.ts'
import { HttpError } from '../http/http-error.ts'
import type { HttpRequest, HttpResponse, RequestHead } from '../http/messages.ts'
import { http } from '../http/node-http.ts'
import { isReadable, type PageLists } from '../limits/page-access.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { chainedHeaders, externalHeaders, withoutSpinHeaders } from '../routes/spin-headers.ts'
import { RESERVED_PREFIX, type Routed, Router } from '../routes/router.ts'
import type { RequestSink } from '../requests/request-events.ts'
import { RequestWatch } from '../requests/request-watch.ts'
import { credentialOf, type CredentialRule } from './credential.ts'
import { ClientAddresses } from './client-address.ts'
import { Connections } from './connections.ts'
import type { FrontLimits } from './front-limits.ts'
import { type BodyFault, IncomingBody, WaitingBodies } from './incoming-body.ts'
import { type ListenAddress, PortInUseError } from './listen-address.ts'
import { namesComponent, parseTarget, type RequestTarget, withoutQuery } from './request-target.ts'
import { Gatekeeper, type GatekeeperOptions } from './gatekeeper.ts'
import { refuse } from './refuse.ts'
import { sendResponse } from './send-response.ts'

/** The application that is served, and the function that runs its components. */
export interface Served {
  manifest: Manifest
  dispatch: (
    component: string,
    request: HttpRequest,
    watch: RequestWatch | undefined,
    /** Who it comes from. */
    sender: string | undefined,
  ) => Promise<HttpResponse>
  /** By which headers gateways authenticate the requests to a component. */
  credentialRules: (component: string) => readonly CredentialRule[]
  /** Which pages may read responses of a component; `undefined` if it has no such variables. */
  pageLists: (component: string) => PageLists | undefined
}

export interface FrontOptions extends Served {
  /** Where events of requests go, in this order. */
  sinks: readonly RequestSink[]
  /** Answers `GET /activity`. @default the gateway answers it */
  activity?: { answer(request: IncomingMessage, response: ServerResponse): void } | undefined
  limits: FrontLimits
  /** Requests are those of a test that plays the gateway, so a component believes what they say of a caller. @default false */
  fromComponents?: boolean
  gate: Omit<GatekeeperOptions, 'maxClientRequests'>
  onError: (entry: { component: string; message: string }) => void
}

/** Milliseconds an idle connection is kept; longer than the usual 60 s of proxies in front. */
const KEEP_ALIVE_MS = 65_000

/** Headers of one request. Node would silently drop those beyond its own limit. */
const MAX_HEADERS = 256

const NAMES_COMPONENT = 'Names in spin.internal are for components. Use the address of the server.'

/** Milliseconds between two checks for request heads that are overdue. */
const LOOK_EVERY_MS = 1000

export class Front {
  readonly #options: FrontOptions
  #served: Served
  #router: Router = new Router([])
  readonly #server: Server
  readonly #connections: Connections
  readonly #gates: Gatekeeper
  readonly #bodies = new WaitingBodies()
  /** Components whose requests can be calls. */
  #calling: ReadonlySet<string> = new Set()

  constructor(options: FrontOptions) {
    this.#options = options
    this.#served = options
    this.serve(options)
    const { limits } = options
    this.#gates = new Gatekeeper({ ...options.gate, ...limits })
    this.#server = http.createServer({
      keepAliveTimeout: KEEP_ALIVE_MS,
      // An upload may take any time as long as it makes progress: see IncomingBody.
      requestTimeout: 0,
      headersTimeout: limits.headerTimeoutMs,
      connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, Math.ceil(limits.headerTimeoutMs / 4)),
      maxHeaderSize: limits.maxHeaderBytes,
      noDelay: true,
    })
    this.#server.maxHeadersCount = 0
    this.#connections = new Connections(this.#server, {
      ...limits,
      addresses: new ClientAddresses(limits.trustedProxies),
    })
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response)
    const begin = (request: IncomingMessage, response: ServerResponse) =>
      this.#connections.begin(request, response, serve)
    this.#server.on('request', begin)
    // The client waits for `100 Continue` before it sends its body; `#bodyOf` sends it when the body is wanted.
    this.#server.on('checkContinue', begin)
    this.#server.on('checkExpectation', (_, response: ServerResponse) => {
      response.writeHead(417, { 'content-length': 0 }).end()
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

  /** Sends new requests to `served`; running requests are not moved. */
  serve(served: Served): void {
    this.#served = served
    this.#router = new Router(served.manifest.triggers)
    this.#calling = callingComponents(served.manifest)
  }

  /** Once a second: writes down what has been counted. */
  tick(isLast = false): void {
    this.#gates.flush(isLast)
  }

  /** Accepts no more requests, waits for the running ones, and cuts them off after `drainMs`. */
  async close(drainMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    const sweep = setInterval(() => this.#server.closeIdleConnections(), 50)
    const cut = setTimeout(() => this.#server.closeAllConnections(), drainMs)
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that disconnects is not an error; without a listener it would end the process.
    response.on('error', () => {})
    const target = parseTarget(request)
    const watch = this.#watch(request, response, target?.path ?? request.url ?? '')
    if (target === undefined) return refuse(response, 400)
    if (namesComponent(request, target)) return refuse(response, 421, NAMES_COMPONENT)
    if (request.rawHeaders.length > 2 * MAX_HEADERS) return refuse(response, 431)
    const pathname = withoutQuery(target.path)
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
    if (Number(request.headers['content-length'] ?? 0) > this.#options.limits.maxBodyBytes) {
      return refuse(response, 413)
    }
    const address = this.#connections.clientOf(request)
    const gate = this.#gates.enter(request, response, {
      pathname,
      address,
      credential: () => credentialOf(request.headers, this.#served.credentialRules(component)),
      isReadable: (origin) => {
        const lists = this.#served.pageLists(component)
        return lists !== undefined && isReadable(target.authority, origin, lists)
      },
    })
    if (gate === undefined) return
    const client = new AbortController()
    let [closed, settled] = [false, false]
    response.once('close', () => {
      closed = true
      if (settled) gate.leave()
      if (!response.writableFinished) client.abort()
    })
    try {
      const body = this.#bodyOf(request, response, client)
      // Most bodies arrive with the head. While one is still on its way, the request must not take an instance.
      if (!body.pipe.ended && !(await body.came())) await this.#bodies.wait(body)
      const { failure } = body.pipe
      if (failure) throw failure
      const head = requestHead(request, routed, target, this.#options.fromComponents ?? false)
      if (watch && this.#calling.has(component)) {
        head.headers = watch.enters(component, head, gate.principal)
      }
      const guestRequest = { ...head, body: body.pipe, signal: client.signal }
      const { report, ...answer } = await this.#served.dispatch(
        component,
        guestRequest,
        watch,
        gate.principal ?? address,
      )
      gate.answered(answer.status, report)
      watch?.answered(report?.principal, answer.headers)
      if (report?.activity && this.#options.activity && pathname === ACTIVITY_PATH) {
        answer.body.cancel()
        this.#options.activity.answer(request, response)
        return
      }
      const headers = [...answer.headers, ...gate.headers]
      await sendResponse({ ...answer, headers }, response, {
        isHead: request.method === 'HEAD',
        maxBytes: this.#options.limits.maxResponseBytes,
        onSent: watch?.sent,
      })
    } catch (error) {
      watch?.failed(error)
      // A request that ended because its client left is not an error: clients may disconnect at any time.
      if (!client.signal.aborted || codeOf(error) !== 'connection-terminated') {
        this.#fail(component, response, error)
      }
    } finally {
      // A client that has left counts while its request runs: otherwise it could start any number of requests.
      settled = true
      if (closed) gate.leave()
    }
  }

  #bodyOf(
    request: IncomingMessage,
    response: ServerResponse,
    client: AbortController,
  ): IncomingBody {
    const { maxBodyBytes, bodyIdleMs } = this.#options.limits
    const body = new IncomingBody(request, {
      maxBytes: maxBodyBytes,
      idleMs: bodyIdleMs,
      onFault: (fault) => {
        client.abort()
        refuse(response, FAULT_STATUS[fault])
      },
    })
    const { headers, httpVersionMinor } = request
    if (!body.pipe.ended && headers.expect !== undefined && httpVersionMinor > 0) {
      response.writeContinue()
    }
    return body
  }

  #watch(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): RequestWatch | undefined {
    const { sinks } = this.#options
    return sinks.length > 0
      ? new RequestWatch(request, response, withoutQuery(path), sinks)
      : undefined
  }

  #fail(component: string, response: ServerResponse, error: unknown): void {
    this.#options.onError({
      component,
      message: error instanceof Error ? error.message : String(error),
    })
    if (response.writableEnded || response.destroyed) return
    if (response.headersSent) {
      // The client must see that the body is not whole.
      response.destroy()
      return
    }
    const code = codeOf(error)
    if (code === 'connection-limit-reached') refuse(response, 503)
    else if (code === 'HTTP-request-body-size') refuse(response, 413)
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

const codeOf = (error: unknown) => (error instanceof HttpError ? error.code : 'internal-error')

const FAULT_STATUS: Readonly<Record<BodyFault, number>> = { 'too-long': 413, silent: 408 }

function requestHead(
  request: IncomingMessage,
  routed: Routed,
  { path, authority }: RequestTarget,
  fromComponents: boolean,
): RequestHead {
  const { socket, method = 'GET', rawHeaders } = request
  // A client that has left has no address; `0.0.0.0:0` would be that of a component.
  const client = `${socket.remoteAddress ?? '[::]'}:${socket.remotePort ?? 0}`
  const own = withoutSpinHeaders(visibleHeaders(rawHeaders)).filter(([name]) => isHeaderName(name))
  const added = fromComponents
    ? chainedHeaders(path)
    : externalHeaders(routed, { path, authority, client })
  return {
    method,
    scheme: 'http',
    authority,
    path,
    headers: [...own, ...added],
  }
}
