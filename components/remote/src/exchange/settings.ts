/** A server for which the token of the caller is exchanged, by the field `auth`. */
import { mayHaveToken } from 'ftl-client/server-side'
import type { RemoteServer } from '../servers.ts'

export interface Exchange {
  type: 'exchange'
  /** The authorization server that has issued the tokens of callers. */
  issuer: string
  /** Of the client that may exchange them. */
  clientId: string
  /** Only sent to `issuer`. */
  clientSecret: string
  /** What the authorization server calls this server. @default its address, as `resource` */
  audience?: string
  /** Scopes to request, separated by spaces. @default the authorization server decides */
  scope?: string
}

export type ExchangeServer = RemoteServer & { auth: Exchange }

export function isExchangeServer(server: RemoteServer): server is ExchangeServer {
  return server.auth?.type === 'exchange'
}

const REQUIRED = ['issuer', 'clientId', 'clientSecret'] as const
const OPTIONAL = ['audience', 'scope'] as const
const FIELDS: readonly string[] = ['type', ...REQUIRED, ...OPTIONAL]
const VISIBLE = /^[\x20-\x7e]{1,2048}$/

/** @param auth with the type `exchange`. A returned string is the problem. */
export function readExchange(auth: Record<string, unknown>, url: string): Exchange | string {
  if (Object.keys(auth).some((field) => !FIELDS.includes(field))) {
    return `its auth has a field that is not one of ${FIELDS.join(', ')}`
  }
  const wrong = [...REQUIRED, ...OPTIONAL].find((name) => {
    const value = auth[name]
    const isLeftOut = value === undefined && OPTIONAL.includes(name as (typeof OPTIONAL)[number])
    return !isLeftOut && (typeof value !== 'string' || !VISIBLE.test(value))
  })
  if (wrong !== undefined) return `its auth.${wrong} must be a text of printable ASCII`
  const exchange = auth as unknown as Exchange
  if (!mayHaveToken(exchange.issuer)) return 'its auth.issuer must begin with https://'
  return mayHaveToken(url)
    ? exchange
    : 'its url must begin with https://, because tokens of users are sent there'
}
