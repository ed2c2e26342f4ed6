/**
 * Decides, before any component runs, whether a request may be served.
 *
 * A credential counts for its principal only after the gateway has named that principal. Until then the request counts
 * for its address: otherwise each invented token would have a bucket of its own.
 */
import type { GatewayReport } from '../http/messages.ts'
import { Buckets, type Level } from './buckets.ts'
import { KnownCallers } from './known-callers.ts'
import type { RateLimits } from './rate-limit-options.ts'
import { describeRate, type Rate } from './rate.ts'

/** Addresses and callers that are remembered; each entry takes about 200 bytes. */
const MAX_KEYS = 65_536
const MAX_CREDENTIALS = 32_768

/** What a request is counted under. */
export interface Sender {
  /** Digest of its credential. */
  credential: string | undefined
  /** `undefined` for this machine and for a proxy that names no client. */
  address: string | undefined
  /** Whether it is a call, which may take long. */
  calls: boolean
}

export type LimitName = 'caller' | 'address' | 'failures' | 'calls' | 'audit'

export interface Refusal {
  by: LimitName
  /** For people. */
  message: string
  /** Whole seconds. */
  retryAfter: number
}

/** A request that may be served. */
export interface Admission {
  /** Called with the response of the component, before it is sent. */
  answered(status: number, report: GatewayReport | undefined): void
  /** The request is over. */
  over(): void
}

export type Decision = { principal: string | undefined; headers: LimitHeaders } & (
  { admission: Admission; refusal?: undefined } | { admission?: undefined; refusal: Refusal }
)

/** `RateLimit` and `RateLimit-Policy`. */
export type LimitHeaders = readonly (readonly [name: string, value: string])[]

/** Those who send no address and no known credential: programs on this machine. */
const LOCAL = 'local'

const UNAUTHORIZED = 401

/** Calls of one request that are charged at most. */
const MAX_CALLS = 1000

interface Quota {
  name: 'caller' | 'address'
  rate: Rate
  buckets: Buckets
  /** As in `RateLimit-Policy`. */
  policy: string
}

export class Limiter {
  readonly #limits: RateLimits
  readonly #caller: Quota | undefined
  readonly #address: Quota | undefined
  readonly #failures: Buckets | undefined
  readonly #known = new KnownCallers(MAX_CREDENTIALS)
  readonly #running = new Map<string, number>()
  /** Credentials that are being checked, by how many requests have them. */
  readonly #checked = new Map<string, number>()
  readonly #policies: string

  constructor(limits: RateLimits, now?: () => number) {
    this.#limits = limits
    const { caller, address, failures, burst } = limits
    const buckets = (rate: Rate, most?: number) =>
      new Buckets({ rate, burst: most, maxKeys: MAX_KEYS, ...(now && { now }) })
    const quota = (name: Quota['name'], rate: Rate | undefined): Quota | undefined =>
      rate && { name, rate, buckets: buckets(rate, burst), policy: policyOf(name, rate) }
    this.#caller = quota('caller', caller)
    this.#address = quota('address', address)
    this.#failures = failures && buckets(failures)
    this.#policies = [this.#caller, this.#address].flatMap((each) => each?.policy ?? []).join(', ')
  }

  /** Whether credentials have to be looked at. */
  get usesCredentials(): boolean {
    return (
      this.#failures !== undefined ||
      this.#caller !== undefined ||
      this.#limits.maxCalls !== undefined
    )
  }

  decide({ credential, address, calls }: Sender): Decision {
    const principal = credential === undefined ? undefined : this.#known.get(credential)
    const key = principal === undefined ? `address ${address ?? LOCAL}` : `principal ${principal}`
    const levels: string[] = []
    const refused = (refusal: Refusal): Decision => ({
      refusal,
      principal,
      headers: this.#headers(levels),
    })
    const unproven = credential !== undefined && principal === undefined ? address : undefined
    const failures = unproven === undefined ? undefined : this.#failures
    if (failures && unproven !== undefined) {
      const { waitMs } = failures.level(unproven)
      if (waitMs > 0) return refused(tooMany('failures', waitMs, this.#limits.failures))
    }
    const { maxCalls } = this.#limits
    const running = this.#running.get(key) ?? 0
    if (calls && maxCalls !== undefined && running >= maxCalls) {
      const message = `Too many calls at once: one caller may have ${maxCalls} running. Retry when one has ended.`
      return refused({ by: 'calls', message, retryAfter: 1 })
    }
    for (const [quota, name] of [[this.#address, address] as const, [this.#caller, key] as const]) {
      if (quota === undefined || name === undefined) continue
      const level = quota.buckets.take(name)
      levels.unshift(levelOf(quota, level))
      if (!level.taken) return refused(tooMany(quota.name, level.waitMs, quota.rate))
    }
    const check = unproven === undefined ? undefined : this.#beginCheck(credential ?? '', unproven)
    const counts = calls && maxCalls !== undefined
    if (counts) this.#running.set(key, running + 1)
    return {
      principal,
      headers: this.#headers(levels),
      admission: {
        answered: (status, report) => {
          // One was taken before.
          const more = Math.min(report?.calls ?? 1, MAX_CALLS) - 1
          if (more > 0) {
            this.#caller?.buckets.charge(key, more)
            if (address !== undefined) this.#address?.buckets.charge(address, more)
          }
          if (credential === undefined) return
          if (status === UNAUTHORIZED) this.#known.delete(credential)
          else if (report?.principal !== undefined) this.#known.set(credential, report.principal)
          if (status === UNAUTHORIZED) check?.failed()
        },
        over: () => {
          if (counts) decrease(this.#running, key)
          check?.over()
        },
      },
    }
  }

  /**
   * A failure is counted before the check, so that invented credentials that are sent at once count, too. One credential
   * in many requests is counted once until it has failed: most likely it is good, and only new.
   */
  #beginCheck(credential: string, address: string): { failed(): void; over(): void } | undefined {
    const failures = this.#failures
    if (!failures) return undefined
    const others = this.#checked.get(credential) ?? 0
    this.#checked.set(credential, others + 1)
    let isCounted = others === 0
    let hasFailed = false
    if (isCounted) failures.take(address)
    return {
      failed: () => {
        hasFailed = true
        if (!isCounted) failures.charge(address, 1)
        isCounted = true
      },
      over: () => {
        decrease(this.#checked, credential)
        if (isCounted && !hasFailed) failures.refund(address)
      },
    }
  }

  #headers(levels: readonly string[]): [string, string][] {
    if (levels.length === 0) return []
    return [
      ['ratelimit-policy', this.#policies],
      ['ratelimit', levels.join(', ')],
    ]
  }
}

function decrease(counts: Map<string, number>, key: string): void {
  const count = counts.get(key) ?? 0
  if (count > 1) counts.set(key, count - 1)
  else counts.delete(key)
}

/**
 * Structured fields of the current draft.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
function policyOf(name: string, { count, windowMs }: Rate): string {
  return `"${name}";q=${count};w=${windowMs / 1000}`
}

/** `t`: seconds until the quota is whole again, or until there is any. */
function levelOf({ name }: Quota, { remaining, waitMs, fullMs }: Level): string {
  return `"${name}";r=${remaining};t=${seconds(remaining > 0 ? fullMs : waitMs)}`
}

/** At least 1: a client that waits 0 seconds would be refused again. */
const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

function tooMany(by: 'caller' | 'address' | 'failures', waitMs: number, rate?: Rate): Refusal {
  const retryAfter = seconds(waitMs)
  const what = by === 'failures' ? 'failed authentication' : 'request'
  const of = by === 'caller' ? 'for one caller' : 'from one address'
  const limit = rate ? ` The limit is ${describeRate(rate, what)} ${of}.` : ''
  const problem = by === 'failures' ? 'Too many failed authentications.' : 'Too many requests.'
  return { by, message: `${problem}${limit} Retry after ${retryAfter} s.`, retryAfter }
}
