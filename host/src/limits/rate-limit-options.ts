/** How much each caller and each address may send: part of `HostOptions`. */
import { parseRate, type Rate } from './rate.ts'

export interface RateLimitOptions {
  /**
   * Requests of one caller, such as `600/m` (`s`, `m`, `h`, `d`), or `none`; further ones get 429. A caller is the principal that the
   * gateway names. A request without a principal counts for its address.
   *
   * @default none
   */
  rateLimit?: string
  /** Requests of one address, in the same form. @default none */
  rateLimitAddress?: string
  /** Requests that a caller or an address may send at once after a pause. @default the count of the rate */
  burst?: number
  /** Requests with a body (POST) that one caller may have running; further ones get 429. @default no limit */
  maxCallsPerCaller?: number
  /**
   * Requests of one address with a credential that the gateway does not accept; further ones get 429 without being
   * checked, because a check of a signature takes longer than a call. `none` switches it off.
   *
   * @default '60/m'
   */
  rateLimitFailures?: string
}

/** {@link RateLimitOptions}, read. */
export interface RateLimits {
  caller: Rate | undefined
  address: Rate | undefined
  failures: Rate | undefined
  burst: number | undefined
  maxCalls: number | undefined
}

const FAILURES = '60/m'

/** @throws {RateLimitError} */
export function rateLimitsOf(options: RateLimitOptions): RateLimits {
  const {
    rateLimit,
    rateLimitAddress,
    rateLimitFailures = FAILURES,
    burst,
    maxCallsPerCaller,
  } = options
  if (burst !== undefined && rateLimit === undefined && rateLimitAddress === undefined) {
    throw new RateLimitError('burst has no effect without rateLimit or rateLimitAddress')
  }
  return {
    caller: rateOf('rateLimit', rateLimit),
    address: rateOf('rateLimitAddress', rateLimitAddress),
    failures: rateOf('rateLimitFailures', rateLimitFailures),
    burst,
    maxCalls: maxCallsPerCaller,
  }
}

/** An option cannot be used. */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError'
}

function rateOf(name: string, text: string | undefined): Rate | undefined {
  if (text === undefined || text === 'none') return undefined
  const rate = parseRate(text)
  if (rate) return rate
  throw new RateLimitError(
    `${name} must be a number of requests and a unit of time, such as 600/m; units are s, m, h and d`,
  )
}
