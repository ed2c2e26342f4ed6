/**
 * Lines about requests that the host ended, or could not end well. The gateway that served one could not write the lines
 * of its calls, so the host says what it knows.
 */
import { randomUUID } from 'node:crypto'
import type { HeaderEntry } from '../http/header-rules.ts'
import { HttpError } from '../http/http-error.ts'
import type { RequestHead } from '../http/messages.ts'
import { isGateway, type Manifest } from '../manifest/manifest.ts'

/** As the gateway reads it. */
const ID_HEADER = 'x-request-id'
const USABLE_ID = /^[\w.:-]{1,128}$/

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

/** A request that may be a call, from the moment it is given to its component. */
export class AuditedRequest {
  readonly #component: string
  readonly #head: RequestHead
  readonly #id: string
  readonly #startedAt = performance.now()
  /** The authenticated caller, once it is known. */
  principal: string | undefined

  constructor(component: string, head: RequestHead, principal: string | undefined) {
    this.#component = component
    this.#head = head
    this.principal = principal
    const [sent, ...others] = valuesOf(head, ID_HEADER)
    this.#id =
      sent !== undefined && others.length === 0 && USABLE_ID.test(sent) ? sent : randomUUID()
  }

  /** With the id of the request, so that the gateway's lines have the same. */
  get headers(): readonly HeaderEntry[] {
    return withRequestId(this.#head.headers, this.#id)
  }

  /** @returns what the line says beyond the event and the time; `undefined` if no component had begun. */
  killed(error: unknown): object | undefined {
    const { component, begun = true } = error instanceof HttpError ? error.details : {}
    if (!begun) return undefined
    const message = error instanceof Error ? error.message : String(error)
    const { method, path } = this.#head
    const pathname = path.replace(/[?#].*$/s, '')
    return {
      request: this.#id,
      trace: TRACE.exec(valuesOf(this.#head, 'traceparent')[0] ?? '')?.[1],
      principal: this.principal,
      action: shown(`${method} ${pathname}`),
      component: component ?? this.#component,
      outcome: 'killed',
      reason: shown(message),
      ms: Math.round(performance.now() - this.#startedAt),
    }
  }
}

/** The headers of a request with this id, so that the gateway's lines have the same. */
export function withRequestId(headers: readonly HeaderEntry[], id: string): HeaderEntry[] {
  const others = headers.filter(([name]) => name !== ID_HEADER)
  return [...others, [ID_HEADER, id]]
}

function valuesOf({ headers }: RequestHead, wanted: string): string[] {
  return headers.filter(([name]) => name === wanted).map(([, value]) => value)
}

/** Printable ASCII, not too long. */
export function shown(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?')
  return plain.length > MAX_TEXT ? `${plain.slice(0, MAX_TEXT)}...` : plain
}
