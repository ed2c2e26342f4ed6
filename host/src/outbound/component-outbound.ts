/**
 * Where a component's requests go: to another component, to the application itself, or to the network.
 *
 * @module
 */
import { HttpError } from '../instance/http-error.ts'
import { Pipe } from '../instance/pipe.ts'
import type {
  Caller,
  GuestRequest,
  GuestResponse,
  Outbound,
  OutboundRequest,
} from '../instance/services.ts'
import { chainedHeaders, withoutSpinHeaders } from '../routes/headers.ts'
import { defaultPort, type Destination, isAllowed } from './allowed-hosts.ts'
import type { Network } from './network.ts'

/**
 * Methods a request may have: tokens that no server takes for a tunnel (CONNECT) or an echo of its headers (TRACE).
 */
const METHOD = /^(?!(?:connect|trace)$)[a-z][a-z0-9_-]{0,31}$/i

const INTERNAL = /^([^.]+)\.spin\.internal$/

export interface ComponentOutboundOptions {
  /** `allowed_outbound_hosts` with their expressions resolved. */
  allowedHosts: () => readonly string[]
  /** Passes a request on to a component, private ones included; `undefined` when there is none. */
  dispatch: (component: string, request: GuestRequest) => Promise<GuestResponse> | undefined
  network: Network
  /**
   * Components that may stand between a client and the last one.
   *
   * Spin has no limit: components that call each other in a circle use up its instances.
   */
  maxDepth: number
  /** Where the application itself listens. */
  self: () => { host: string; port: number }
  /** Tells the operator why a request was refused; the guest sees the code only. */
  onRefused: (message: string) => void
}

export class ComponentOutbound implements Outbound {
  readonly #options: ComponentOutboundOptions

  constructor(options: ComponentOutboundOptions) {
    this.#options = options
  }

  async send(sent: OutboundRequest, caller: Caller): Promise<GuestResponse> {
    if (!METHOD.test(sent.method)) throw new HttpError('HTTP-request-method-invalid')
    const path = pathOf(sent.path)
    const request = path === sent.path ? sent : { ...sent, path }
    const destination = parseDestination(request)
    const { allowedHosts, network, self, onRefused } = this.#options
    if (!isAllowed(allowedHosts(), destination)) {
      onRefused(`may not send requests to ${whatToAllow(destination)}`)
      throw new HttpError('HTTP-request-denied')
    }
    const [, component] = INTERNAL.exec(destination.host) ?? []
    if (component !== undefined) return this.#chain(component, request, caller)
    caller.noteEffect()
    const secure = destination.scheme === 'https'
    if (destination.host !== 'self' && destination.host !== 'self.alt') {
      if (!secure && destination.scheme !== 'http') throw new HttpError('HTTP-request-URI-invalid')
      return network.send(request, { secure, host: destination.host, port: destination.port })
    }
    const own = self()
    const authority = `${own.host.includes(':') ? `[${own.host}]` : own.host}:${own.port}`
    return network.send({ ...request, authority }, { secure: false, ...own })
  }

  async #chain(
    component: string,
    { method, authority, path, headers, body, signal }: OutboundRequest,
    { depth, tree, span }: Caller,
  ): Promise<GuestResponse> {
    if (depth >= this.#options.maxDepth) {
      this.#options.onRefused(`called through more than ${this.#options.maxDepth} components`)
      throw new HttpError('loop-detected')
    }
    const place = tree?.place(component)
    if (tree && place && tree.avoids(place)) {
      body.cancel()
      return { status: 500, headers: [], body: Pipe.empty() }
    }
    const call = tree?.noteCall(component, method, path)
    const response = this.#options.dispatch(component, {
      method,
      scheme: 'http',
      authority,
      path,
      headers: [...withoutSpinHeaders(headers), ...chainedHeaders(path)],
      body,
      depth: depth + 1,
      signal,
      ...(tree && { tree }),
      ...(place && { place }),
      span,
    })
    if (response) {
      const answered = await response
      if (call) call.status = answered.status
      return answered
    }
    this.#options.onRefused(`calls the component "${component}", which the application lacks`)
    throw new HttpError('destination-not-found')
  }
}

/** As Spin writes it: it begins with a slash, and a fragment does not leave the client. */
function pathOf(path: string): string {
  const end = path.indexOf('#')
  const kept = end < 0 ? path : path.slice(0, end)
  return kept.startsWith('/') || kept === '*' ? kept : `/${kept}`
}

function whatToAllow({ scheme, host, port }: Destination): string {
  const origin = `${scheme}://${host}${port === defaultPort(scheme) ? '' : `:${port}`}`
  const entry = INTERNAL.test(host) ? 'http://*.spin.internal' : origin
  return `${origin}; add "${entry}" to its allowed_outbound_hosts in spin.toml`
}

function parseDestination({ scheme, authority }: OutboundRequest): Destination {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:@[\]]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  if (host === undefined || Number(port ?? 0) > 65_535) {
    throw new HttpError('HTTP-request-URI-invalid')
  }
  return {
    scheme,
    host: host.replace(/[[\]]/g, '').toLowerCase(),
    port: port === undefined ? defaultPort(scheme) : Number(port),
  }
}
