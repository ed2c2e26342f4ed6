/** How each user signs in at a server, and what the operator has to set for that. */
import { isObject } from 'ftl-contract'
import { mayHaveToken } from 'ftl-client/server-side'
import { type Exchange, readExchange } from '../exchange/settings.ts'

/** The field `auth` of a server: each user signs in at the server. */
export interface Consent {
  type?: undefined
  /** Id of a client that the operator has registered. @default a document or a registration at the authorization server */
  clientId?: string
  /** Its secret; only sent to `issuer`. @default a public client */
  clientSecret?: string
  /** The authorization server. @default the first one that the server names */
  issuer?: string
  /** Scopes to request, separated by spaces. @default those that the server names */
  scope?: string
}

const FIELDS = ['type', 'clientId', 'clientSecret', 'issuer', 'scope']
const TEXTS = ['clientId', 'clientSecret', 'issuer', 'scope'] as const
const VISIBLE = /^[\x20-\x7e]{1,2048}$/

/** A returned string is the problem. */
export function readAuth(auth: unknown, url: string): Consent | Exchange | string {
  if (isObject(auth) && auth['type'] === 'exchange') return readExchange(auth, url)
  const given = auth === 'consent' ? { type: 'consent' } : auth
  if (!isObject(given) || given['type'] !== 'consent') {
    return 'its auth must be "consent", or an object with the type "consent" or "exchange"'
  }
  if (Object.keys(given).some((field) => !FIELDS.includes(field))) {
    return `its auth has a field that is not one of ${FIELDS.join(', ')}`
  }
  const consent: Consent = {}
  for (const name of TEXTS) {
    const value = given[name]
    if (value === undefined) continue
    if (typeof value !== 'string' || !VISIBLE.test(value)) {
      return `its auth.${name} must be a text of printable ASCII`
    }
    consent[name] = value
  }
  if (consent.issuer !== undefined && !mayHaveToken(consent.issuer)) {
    return 'its auth.issuer must begin with https://'
  }
  if (consent.clientSecret !== undefined && (!consent.clientId || !consent.issuer)) {
    return 'its auth.clientSecret needs auth.clientId and auth.issuer: it is sent to that issuer only'
  }
  return mayHaveToken(url)
    ? consent
    : 'its url must begin with https://, because tokens of users are sent there'
}

/** What the operator has to set before users can sign in. */
export interface ConsentSettings {
  /** The variable `remote_key`. */
  key: string
  /** Where browsers reach this component, without a slash at the end: `https://gateway.example/connect`. */
  address: string
}

const SHORTEST_KEY = 32

interface Variables {
  get(name: string): string | undefined
}

/** With what tokens are encrypted. `undefined` if the operator has not set it. */
export function keyIn(variables: Variables): string | undefined {
  const key = variables.get('remote_key') ?? ''
  return key.length < SHORTEST_KEY ? undefined : key
}

export const NO_KEY = `its auth needs the variable remote_key, of at least ${SHORTEST_KEY} random characters`

/** A returned string is the problem. */
export function consentSettings(variables: Variables): ConsentSettings | string {
  const key = keyIn(variables)
  if (key === undefined) return NO_KEY
  const audience = (variables.get('auth_audience') ?? '').split(/[\s,]/)[0] ?? ''
  const given = variables.get('remote_address') || audience.replace(/\/mcp\/?$/, '')
  if (!mayHaveToken(given)) {
    return 'its auth needs the variable remote_address: the address of this gateway, such as https://gateway.example'
  }
  const { origin, pathname } = new URL(given)
  return { key, address: `${origin}${pathname.replace(/\/+$/, '')}/connect` }
}
