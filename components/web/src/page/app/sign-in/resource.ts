/**
 * Where users of this server sign in.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728
 */
import { asObject } from 'ftl-contract'

export interface Issuers {
  /** Authorization servers that the user can sign in at. */
  issuers: readonly string[]
  /** Address of this server, if the page was opened at another one: tokens are not valid here. */
  elsewhere: string
}

export const METADATA = '/.well-known/oauth-protected-resource'

export interface Resource {
  resource: string
  servers: string[]
  scopes: string[]
}

/** @throws {Error} if the server does not describe itself. */
export async function readResource(): Promise<Resource> {
  const response = await fetch(METADATA, { credentials: 'same-origin' })
  const found = toResource(await response.json())
  if (!response.ok || found.resource === '') throw new Error('no metadata')
  return found
}

/** Reads what a server says of itself; what is missing is empty. */
export function toResource(body: unknown): Resource {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = asObject(body)
  return {
    resource: typeof resource === 'string' ? resource : '',
    servers: strings(servers),
    scopes: strings(scopes),
  }
}

let known: Promise<Resource> | undefined

export async function readIssuers(): Promise<Issuers & { problem: string }> {
  try {
    known ??= readResource()
    const { resource, servers } = await known
    const { origin } = new URL(resource)
    const isHere = origin === location.origin
    return { issuers: isHere ? servers : [], elsewhere: isHere ? '' : `${origin}/`, problem: '' }
  } catch {
    known = undefined
    const problem = 'This server does not say where to sign in. Try again, or use an API key.'
    return { issuers: [], elsewhere: '', problem }
  }
}

function strings(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (entry): entry is string => typeof entry === 'string',
  )
}

/** As it is shown to users: `URL` spells names of other scripts in ASCII. */
export function nameOf(issuer: string): string {
  try {
    const { host, pathname } = new URL(issuer)
    return host + (pathname === '/' ? '' : pathname)
  } catch {
    return 'an unknown server'
  }
}
