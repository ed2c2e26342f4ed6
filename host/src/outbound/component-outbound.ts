/** Where a component's requests go: to another component, to the application itself, or to the network. */
import { isIP } from 'node:net'
import { HttpError } from '../http/http-error.ts'
import { Pipe } from '../http/pipe.ts'
import type { CallTree } from '../instance/call-tree.ts'
import type { Caller, GuestRequest, Outbound, OutboundRequest } from '../instance/services.ts'
import type { HttpResponse } from '../http/messages.ts'
import { canonicalAddress, isOwnListener, kindOf } from '../http/addresses.ts'
import {
  AllowedHosts,
  defaultPort,
  type Destination,
  isInternal,
  isSelf,
  mayEndAt,
  type Reach,
  withoutFinalDot,
} from '../manifest/allowed-hosts.ts'
import type { Network } from './network.ts'
import { internalHeaders, ownHeaders } from './vouched-headers.ts'

/**
 * Methods a request may have: short tokens other than CONNECT, which opens a tunnel, and TRACE, which echoes headers.
 */
const METHOD = /^(?!(?:connect|trace)$)[a-z][a-z0-9_-]{0,31}$/i

export interface ComponentOutboundOptions {
  /** `allowed_outbound_hosts` with their expressions resolved. */
  allowedHosts: () => readonly string[]
  /** Passes a request on to a component, private ones included; `undefined` when there is no such component. */
  dispatch: (component: string, request: GuestRequest) => Promise<HttpResponse> | undefined
  network: Network
  /** Whether the component is a gateway, which may name the user. */
  gateway: boolean
  /**
   * Components that may be between a client and the last one.
   *
   * Spin has no limit: components that call each other in a circle use up its instances.
   */
  maxDepth: number
  /** Where the application itself listens. */
  self: () => { host: string; port: number }
  /** Writes down the call that a request reports. @returns the request without the report. @default none has one */
  begins?: (
    request: OutboundRequest,
    tree: CallTree | undefined,
  ) => OutboundRequest | Promise<OutboundRequest>
  /** What requests that leave the application wait for; `undefined` if it has come. @default nothing */
  written?: (tree: CallTree | undefined) => Promise<void> | undefined
  /** Whether those to components wait for it, too. @default false */
  callsWait?: boolean
  /** Reports to the operator why a request was refused; the guest sees only the error code. */
  onRefused: (message: string, tree?: CallTree) => void
}

export class ComponentOutbound implements Outbound {
  readonly #options: ComponentOutboundOptions
  readonly #hosts: AllowedHosts

  constructor(options: ComponentOutboundOptions) {
    this.#options = options
    this.#hosts = new AllowedHosts(options.allowedHosts)
  }

  withhold(request: Pick<OutboundRequest, 'scheme' | 'authority'>, caller: Caller): void {
    const destination = parseDestination(request)
    const isAllowed = this.#hosts.reach(destination) !== undefined
    const what = isAllowed
      ? 'was built without the network: build it again'
      : `may not send requests to ${whatToAllow(destination)}, and build it again`
    this.#options.onRefused(what, caller.tree)
  }

  async send(sent: OutboundRequest, caller: Caller): Promise<HttpResponse> {
    if (!METHOD.test(sent.method)) throw new HttpError('HTTP-request-method-invalid')
    const path = pathOf(sent.path)
    let request = path === sent.path ? sent : { ...sent, path }
    const destination = parseDestination(request)
    const reach = this.#hosts.reach(destination)
    if (reach === undefined) {
      this.#options.onRefused(`may not send requests to ${whatToAllow(destination)}`, caller.tree)
      throw new HttpError('HTTP-request-denied')
    }
    const begun = this.#options.begins?.(request, caller.tree) ?? request
    request = begun instanceof Promise ? await begun : begun
    const isCall = isInternal(destination.host)
    const { written, callsWait } = this.#options
    const waiting = isCall && !callsWait ? undefined : written?.(caller.tree)
    if (waiting) {
      await waiting
      // Its guest was ended meanwhile.
      if (request.signal.aborted) throw new HttpError('connection-terminated')
    }
    if (isCall) return this.#chain(destination.host, request, caller)
    caller.noteEffect()
    if (isSelf(destination.host)) return this.#self(request, caller)
    return this.#reachOut(request, { destination, reach, tree: caller.tree })
  }

  async #reachOut(
    request: OutboundRequest,
    {
      destination,
      reach,
      tree,
    }: { destination: Destination; reach: Reach; tree: CallTree | undefined },
  ): Promise<HttpResponse> {
    const { scheme, host, port } = destination
    const { network, self, onRefused } = this.#options
    if (scheme !== 'http' && scheme !== 'https') throw new HttpError('HTTP-request-URI-invalid')
    const allows = (address: string) =>
      mayEndAt(reach, kindOf(address)) && !isOwnListener(address, port, self())
    const refused = (addresses: readonly string[]) =>
      onRefused(refusal(destination, addresses), tree)
    if (isIP(host) !== 0 && !allows(host)) {
      refused([host])
      throw new HttpError('destination-IP-prohibited')
    }
    return network.send(request, { secure: scheme === 'https', host, port, allows, refused })
  }

  /** To the application itself, through its public routes. */
  #self(request: OutboundRequest, { tree }: Caller): Promise<HttpResponse> {
    const { gateway, network, self } = this.#options
    const own = self()
    const authority = `${own.host.includes(':') ? `[${own.host}]` : own.host}:${own.port}`
    const headers = ownHeaders(request.headers, { gateway, tree })
    return network.send({ ...request, authority, headers }, { secure: false, ...own })
  }

  async #chain(
    host: string,
    { method, authority, path, headers, body, signal }: OutboundRequest,
    { depth, tree, span }: Caller,
  ): Promise<HttpResponse> {
    const component = host.slice(0, -'.spin.internal'.length)
    if (depth >= this.#options.maxDepth) {
      this.#options.onRefused(`called through more than ${this.#options.maxDepth} components`, tree)
      throw new HttpError('loop-detected')
    }
    const place = tree?.place(component)
    if (tree && place && tree.avoids(place)) {
      body.cancel()
      return { status: 500, headers: [], body: Pipe.empty() }
    }
    const call = tree?.noteCall(component, method, path)
    const startedAt = performance.now()
    const response = this.#options.dispatch(component, {
      method,
      scheme: 'http',
      authority,
      path,
      headers: internalHeaders(headers, path, { gateway: this.#options.gateway, tree }),
      body,
      depth: depth + 1,
      signal,
      ...(tree && { tree }),
      ...(place && { place }),
      span,
    })
    if (response) {
      const answered = await response
      if (call) {
        call.status = answered.status
        call.ms = performance.now() - startedAt
      }
      return answered
    }
    this.#options.onRefused(`calls the component "${component}", which the application lacks`, tree)
    throw new HttpError('destination-not-found')
  }
}

/** As Spin sends it: with a slash at the start and without the fragment. */
function pathOf(path: string): string {
  const end = path.indexOf('#')
  const kept = end < 0 ? path : path.slice(0, end)
  return kept.startsWith('/') || kept === '*' ? kept : `/${kept}`
}

function whatToAllow({ scheme, host, port }: Destination): string {
  const origin = `${scheme}://${host}${port === defaultPort(scheme) ? '' : `:${port}`}`
  const entry = isInternal(host) ? 'http://*.spin.internal' : origin
  return `${origin}; add "${entry}" to its allowed_outbound_hosts in spin.toml`
}

function refusal({ host, port }: Destination, addresses: readonly string[]): string {
  const found = isIP(host) === 0 ? `${host} (${addresses.join(', ')})` : host
  return (
    `may not send requests to ${found} on port ${port}: a wildcard in allowed_outbound_hosts does not include this ` +
    "machine and private networks; name the host, for a metadata service its address, for this application 'http://self'"
  )
}

function parseDestination({
  scheme,
  authority,
}: Pick<OutboundRequest, 'scheme' | 'authority'>): Destination {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(authority) ?? []
  if (host === undefined || Number(port ?? 0) > 65_535) {
    throw new HttpError('HTTP-request-URI-invalid')
  }
  const bare = host.startsWith('[') ? host.slice(1, -1) : withoutFinalDot(host.toLowerCase())
  if (host.startsWith('[') && isIP(bare) !== 6) throw new HttpError('HTTP-request-URI-invalid')
  return {
    scheme,
    host: canonicalAddress(bare),
    port: port === undefined ? defaultPort(scheme) : Number(port),
  }
}
