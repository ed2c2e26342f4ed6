/**
 * What a request authenticates itself with, in one spelling: everything that counts by credential counts by this.
 *
 * It has only what the gateway looks at. Otherwise one caller would be a new one with each spelling of `Bearer`, and with
 * each value of a header that the gateway ignores.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { digestOf } from '../limits/known-callers.ts'
import { isGateway, type Manifest } from '../manifest/manifest.ts'

/** By which headers a gateway authenticates, as its variables say. */
export interface CredentialRule {
  /** Whether it has issuers or keys, so that a request may have a token. */
  hasTokens: boolean
  /** The value of `trust_forwarded_user`. */
  trust: string
}

/** The spellings of a token that the gateway accepts: `bearer.ts`. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** @returns its digest; `undefined` if the request has nothing of the kind. */
export function credentialOf(
  headers: IncomingHttpHeaders,
  rules: readonly CredentialRule[],
): string | undefined {
  const parts = new Set(rules.map((rule) => partOf(headers, rule)).filter((part) => part !== ''))
  return parts.size === 0 ? undefined : digestOf([...parts].join('\n'))
}

/** The same decision as in the gateway's `authenticate.ts`. */
function partOf(headers: IncomingHttpHeaders, { hasTokens, trust }: CredentialRule): string {
  const {
    authorization = '',
    'x-forwarded-user': user,
    'x-forwarded-user-secret': secret,
  } = headers
  const isOfProxy = trust !== 'false' && (!hasTokens || user !== undefined || secret !== undefined)
  if (!isOfProxy)
    return authorization === '' ? '' : `token ${BEARER.exec(authorization)?.[1] ?? authorization}`
  if (user === undefined) return ''
  return `user ${JSON.stringify([user, trust === 'true' ? secret : undefined])}`
}

/** Where no gateway says what it looks at. */
const ANY: readonly CredentialRule[] = [
  { hasTokens: true, trust: 'false' },
  { hasTokens: false, trust: 'true' },
]

/**
 * The rules for the requests to each component: its own if it is a gateway, else those of all gateways, because it may
 * pass a credential on to each of them.
 *
 * @param value of a variable of a component; may throw.
 */
export function credentialRules(
  { components }: Manifest,
  value: (component: string, variable: string) => string,
): (component: string) => readonly CredentialRule[] {
  const gateways = new Map<string, readonly CredentialRule[]>()
  for (const component of components.values()) {
    if (!isGateway(component)) continue
    const read = (name: string) =>
      Object.hasOwn(component.variables, name) ? value(component.id, name).trim() : ''
    try {
      gateways.set(component.id, [
        {
          hasTokens: read('auth_issuers') !== '' || read('api_keys') !== '',
          // The policy may follow behind a semicolon.
          trust: read('trust_forwarded_user').replace(/\s*;.*$/s, '') || 'false',
        },
      ])
    } catch {
      // Such a gateway serves nothing.
      gateways.set(component.id, ANY)
    }
  }
  const all = gateways.size === 0 ? ANY : [...gateways.values()].flat()
  return (component) => gateways.get(component) ?? all
}
