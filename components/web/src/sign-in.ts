/** What the page needs to sign users in: which authorization servers it may request, and as which client. */
import { isObject, isString } from 'ftl-contract'
import type { Refuse, SettingVariables } from 'ftl-http'

/** Where the page gets the answer of an authorization server. */
export const REDIRECT_PATH = '/app/oauth/redirect'

/** @see {@link clientMetadata} */
export const METADATA_PATH = '/app/oauth/client.json'

export interface SignInSettings {
  /** Origins of `auth_issuers`, as the gateway reads it. @default none */
  readonly issuerOrigins: readonly string[]
  /** `auth_page_origins`: further origins of the authorization servers, such as that of their token endpoint. @default none */
  readonly pageOrigins: readonly string[]
  /**
   * `auth_client_id`: the page's registration at the authorization server, a public client; with several servers a JSON
   * object, by issuer. JSON for the document, where `*` is the only server.
   *
   * @default none, the page registers itself
   */
  readonly clients: string
}

export const signInVariables: SettingVariables<SignInSettings> = {
  issuerOrigins: ['auth_issuers', issuerOrigins],
  pageOrigins: ['auth_page_origins', pageOrigins],
  clients: ['auth_client_id', clients],
}

/** The gateway reports what is wrong with the variable: here, only what can be used is taken. */
function issuerOrigins(text: string): string[] {
  return [...new Set(entriesOf(text).flatMap((issuer) => originOf(issuer) ?? []))]
}

function entriesOf(text: string): string[] {
  if (!text.startsWith('[')) return text.split(',').map((entry) => entry.trim())
  const list = parsed(text)
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) => {
    const issuer = isObject(entry) ? entry.issuer : entry
    return isString(issuer) ? issuer : []
  })
}

function pageOrigins(text: string, refuse: Refuse): string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  return entries.map(
    (entry) =>
      originOf(entry) ?? refuse('must be origins such as https://auth.example, comma-separated'),
  )
}

/** A source of a policy may contain nothing that ends it, and an origin has none of that. */
function originOf(address: string): string | undefined {
  try {
    const { origin } = new URL(address)
    // A host may have a semicolon in it.
    return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
  } catch {
    return undefined
  }
}

function clients(text: string, refuse: Refuse): string {
  if (text === '') return ''
  if (!text.startsWith('{')) return JSON.stringify({ '*': text })
  const value = parsed(text)
  if (isObject(value) && Object.values(value).every(isString)) return JSON.stringify(value)
  return refuse('must be a client id, or a JSON object with a client id for each issuer')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Describes the page as a client, at an address that is its client id. Authorization servers request it, so it has to be
 * on a host that they reach by https; a proxy may end TLS before this component.
 *
 * @returns `undefined` on this machine.
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export function clientMetadata({ host, hostname }: URL): object | undefined {
  if (/^(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return undefined
  const origin = `https://${host}`
  return {
    client_id: origin + METADATA_PATH,
    client_name: `ftl on ${host}`,
    client_uri: `${origin}/`,
    redirect_uris: [origin + REDIRECT_PATH],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
}
