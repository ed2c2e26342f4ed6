/**
 * Lines about requests that the host ended, or could not end well. The gateway that served one could not write the lines
 * of its calls, so the host says what it knows.
 */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { RequestFollower, RequestSink } from '../requests/request-events.ts'
import { createRequestId, ID_HEADER, withRequestId } from '../requests/request-id.ts'
import { HttpError } from '../http/http-error.ts'
import type { RequestHead } from '../http/messages.ts'
import { isGateway, type Manifest } from '../manifest/manifest.ts'

const TRACE = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

const MAX_TEXT = 256

/** The components whose requests can be calls: the gateways, and those that may call one, such as a chat. */
export function callingComponents({ components }: Manifest): ReadonlySet<string> {
  const gateways = [...components.values()].filter(isGateway).map(({ id }) => id)
  const mayCall = (host: string) =>
    host.includes('{{') ||
    gateways.some((id) => RegExp(`^(http:|\\*:)?//(\\*|${id})\\.spin\\.internal`).test(host))
  const callers = [...components.values()].filter(({ allowedOutboundHosts }) =>
    allowedOutboundHosts.some(mayCall),
  )
  return new Set([...gateways, ...callers.map(({ id }) => id)])
}

/** @param killed takes what the line of a killed request says beyond the event and the time */
export function killedRequests(killed: (about: object) => void): RequestSink {
  return { begin: () => new AuditedRequest(killed) }
}

/** A request that may be a call, from the moment it is given to its component. */
class AuditedRequest implements RequestFollower {
  readonly #killed: (about: object) => void
  #component = ''
  #head: RequestHead | undefined
  #id = ''
  #startedAt = 0
  /** The authenticated caller, once it is known. */
  #principal: string | undefined

  constructor(killed: (about: object) => void) {
    this.#killed = killed
  }

  enters(
    component: string,
    head: RequestHead,
    principal: string | undefined,
  ): readonly HeaderEntry[] {
    this.#component = component
    this.#head = head
    this.#startedAt = performance.now()
    this.#principal = principal
    const [sent, ...others] = valuesOf(head, ID_HEADER)
    this.#id = createRequestId({ [ID_HEADER]: others.length === 0 ? sent : undefined })
    return withRequestId(head.headers, this.#id)
  }

  answered(principal: string | undefined): void {
    this.#principal = principal ?? this.#principal
  }

  failed(error: unknown): void {
    const { component, begun = true } = error instanceof HttpError ? error.details : {}
    if (this.#head === undefined || !begun) return
    const message = error instanceof Error ? error.message : String(error)
    const { method, path } = this.#head
    const pathname = path.replace(/[?#].*$/s, '')
    this.#killed({
      request: this.#id,
      trace: TRACE.exec(valuesOf(this.#head, 'traceparent')[0] ?? '')?.[1],
      principal: this.#principal,
      action: shown(`${method} ${pathname}`),
      component: component ?? this.#component,
      outcome: 'killed',
      reason: shown(message),
      ms: Math.round(performance.now() - this.#startedAt),
    })
  }
}

function valuesOf({ headers }: RequestHead, wanted: string): string[] {
  return headers.filter(([name]) => name === wanted).map(([, value]) => value)
}

/** Printable ASCII, not too long. */
export function shown(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?')
  return plain.length > MAX_TEXT ? `${plain.slice(0, MAX_TEXT)}...` : plain
}
