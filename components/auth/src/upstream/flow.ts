/**
 * A sign-in at the upstream server, between the user's consent and the way back. It is sealed in cookies of the browser
 * that began it, so it takes no room here, and an answer that another browser brings is refused.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.7
 */
import { isObject, isString } from 'ftl-contract'
import type { AuthorizationRequest } from '../authorize/authorization-request.ts'
import { isBrowser } from '../authorize/browser.ts'
import { readCookie, readCookies, setCookie } from '../authorize/cookies.ts'
import { isRequest, PENDING_MS } from '../authorize/pending.ts'
import type { Scope } from '../scope.ts'
import type { Trip } from './visit.ts'

export interface Flow {
  trip: Trip
  /** Of the upstream server that the browser was sent to. */
  prefix: string
  /** Of the browser. */
  digest: string
  /** What the user has allowed. @default the user wants to see the page of grants */
  request?: AuthorizationRequest
}

/** Browsers take about 4,000 characters in one. */
const LONGEST_COOKIE = 3_600
/** More would be refused by proxies on the way back. */
const MOST_COOKIES = 3

/** Characters of all flows of a browser: users who begin again and again would send more than servers take. */
const LONGEST_TOGETHER = 8_000

/** Also of the page of consent, which makes room for the next one. */
const PATH = '/auth/'

const NAME = 'ftl-auth-flow-'
const nameOf = (state: string, index: number) => `${NAME}${state.slice(0, 8)}-${index}`

/** @returns cookies for the browser; `undefined` if the request of the client is too long for them. */
export async function keepFlow(scope: Scope, flow: Flow): Promise<string[] | undefined> {
  const { sealer, platform } = scope
  const { state } = flow.trip
  const sealed = await sealer.seal('flow', { ...flow, until: platform.now() + PENDING_MS }, state)
  const count = Math.ceil(sealed.length / LONGEST_COOKIE)
  if (count > MOST_COOKIES) return undefined
  const own = Array.from({ length: count }, (_, index) => {
    const part = sealed.slice(index * LONGEST_COOKIE, (index + 1) * LONGEST_COOKIE)
    return setCookie(scope, nameOf(state, index), part, { seconds: PENDING_MS / 1000, path: PATH })
  })
  return [...endOldest(scope, LONGEST_TOGETHER - sealed.length), ...own]
}

/** @returns cookies that end flows of this browser, the oldest first, until the others fit. */
function endOldest(scope: Scope, room: number): string[] {
  const ended: string[] = []
  let left = room
  for (const { name, value } of readCookies(scope, NAME, PATH).toReversed()) {
    left -= value.length
    if (left < 0) ended.push(setCookie(scope, name, '', { seconds: 0, path: PATH }))
  }
  return ended
}

/** @returns `undefined` if this browser did not begin it, it has expired, or it has ended. */
export async function openFlow(scope: Scope, state: string): Promise<Flow | undefined> {
  if (!/^[\w-]{22}$/.test(state)) return undefined
  const parts = Array.from({ length: MOST_COOKIES }, (_, index) =>
    readCookie(scope, nameOf(state, index), PATH),
  )
  const value = await scope.sealer.open('flow', parts.join(''), state)
  const flow = flowIn(value, scope.platform.now())
  return flow && (await isBrowser(scope, flow.digest)) ? flow : undefined
}

/** @returns cookies that end it in this browser. */
export function forgetFlow(scope: Scope, state: string): string[] {
  return Array.from({ length: MOST_COOKIES }, (_, index) => nameOf(state, index))
    .filter((name) => readCookie(scope, name, PATH) !== undefined)
    .map((name) => setCookie(scope, name, '', { seconds: 0, path: PATH }))
}

function flowIn(value: unknown, now: number): Flow | undefined {
  if (!isObject(value)) return undefined
  const { trip, prefix, digest, request, until } = value
  if (typeof until !== 'number' || until <= now || !isString(prefix) || !isString(digest))
    return undefined
  if (!isTrip(trip)) return undefined
  if (request === undefined) return { trip, prefix, digest }
  return isRequest(request) ? { trip, prefix, digest, request } : undefined
}

function isTrip(value: unknown): value is Trip {
  return isObject(value) && ['state', 'nonce', 'verifier'].every((name) => isString(value[name]))
}
