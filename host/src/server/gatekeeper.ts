/** Decides whether a request reaches a component: limits of its sender, and an audit log that must be written. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayReport } from '../http/messages.ts'
import { Limiter, type Refusal } from '../limits/limiter.ts'
import type { RateLimits } from '../limits/rate-limit-options.ts'
import { preflightHeaders, readableHeaders } from '../limits/page-access.ts'
import { RefusalLog, type RefusedSender } from '../limits/refusal-log.ts'
import { type RefusalOptions, refuseReadably } from './refuse.ts'
import { Tally } from './tally.ts'

/** The audit log, as far as requests depend on it. */
export interface AuditGate {
  /** Whether requests are refused while it cannot be written. */
  required: boolean
  /** Tries to write what waits. @returns whether the log can be written. */
  writable(): boolean
  refused(sender: RefusedSender, count: number): void
}

export interface GatekeeperOptions {
  rates: RateLimits
  /** Requests of one address at once. */
  maxClientRequests: number
  audit: AuditGate | undefined
}

/** A request that was let in. */
export interface Gate {
  /** For its response. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The authenticated caller, if its credential is known from before. */
  readonly principal: string | undefined
  answered(status: number, report: GatewayReport | undefined): void
  /** It is over. */
  leave(): void
}

export interface Arrival {
  pathname: string
  /** The client is counted under it; `undefined` where it is not counted. */
  address: string | undefined
  /** What it authenticates itself with, as a digest. */
  credential: () => string | undefined
  /** Whether the page that sent the request may read the response. Called for a refusal only. */
  isReadable: (origin: string) => boolean
}

const AUDIT_RETRY_S = 5

export class Gatekeeper {
  readonly #options: GatekeeperOptions
  readonly #limiter: Limiter
  readonly #clients: Tally
  readonly #refusals: RefusalLog

  constructor(options: GatekeeperOptions) {
    this.#options = options
    this.#limiter = new Limiter(options.rates)
    this.#clients = new Tally(options.maxClientRequests)
    this.#refusals = new RefusalLog((sender, count) => options.audit?.refused(sender, count))
  }

  /** Lines about refused requests that have been counted. */
  flush(all = false): void {
    this.#refusals.flush(all ? Infinity : undefined)
  }

  /** @returns `undefined` for a request that was refused, and answered. */
  enter(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, address, credential: present, isReadable }: Arrival,
  ): Gate | undefined {
    const { method, headers } = request
    const { audit, maxClientRequests } = this.#options
    const refuse = (refusal: Refusal, more: Pick<RefusalOptions, 'status' | 'headers'> = {}) => {
      const { origin = '' } = headers
      const readable = origin !== '' && isReadable(origin)
      if (readable && method === 'OPTIONS') {
        response.writeHead(204, { vary: 'Origin', ...preflightHeaders(origin, headers) }).end()
        return
      }
      const page = readable ? readableHeaders(origin) : {}
      refuseReadably(response, refusal, { pathname, isHead: method === 'HEAD', page, ...more })
    }
    if (audit?.required && !audit.writable()) {
      refuse(AUDIT_FAILS, { status: 503 })
      return undefined
    }
    const credential = this.#limiter.usesCredentials ? present() : undefined
    const decision = this.#limiter.decide({ credential, address, calls: method === 'POST' })
    const { admission, principal } = decision
    const refused = (refusal: Refusal) => {
      this.#refusals.note({ by: refusal.by, principal, address })
      refuse(refusal, { headers: decision.headers })
    }
    if (admission === undefined) {
      refused(decision.refusal)
      return undefined
    }
    if (!this.#clients.enter(address)) {
      admission.over()
      refused({
        by: 'calls',
        message: `Too many requests at once: one address may have ${maxClientRequests} running. Retry when one has ended.`,
        retryAfter: 1,
      })
      return undefined
    }
    return {
      headers: decision.headers,
      principal,
      answered: (status, report) => admission.answered(status, report),
      leave: () => {
        admission.over()
        this.#clients.leave(address)
      },
    }
  }
}

const AUDIT_FAILS: Refusal = {
  by: 'audit',
  message:
    'The audit log cannot be written, so requests are refused until it can. Its operator finds the reason in the output of the server.',
  retryAfter: AUDIT_RETRY_S,
}
