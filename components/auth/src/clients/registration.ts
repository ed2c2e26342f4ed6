/**
 * Dynamic client registration. The id of a client contains what it registered, sealed: registrations take no room, so a
 * flood of them costs nothing and displaces none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7591
 */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import type { Sealer } from '../crypto/seal.ts'
import { type Client, ClientProblem, readMetadata } from './client.ts'

/** Seconds for which a registration can be used for the first time. Then only clients that users have allowed go on. */
export const UNUSED_SECONDS = 24 * 3_600

/** Tells these ids from addresses of documents. */
const PREFIX = 'dcr.'
const LONGEST_ID = 2_000

export interface Registration {
  client: Client
  /** What is sent to the client. */
  answer: Record<string, unknown>
}

/** @throws {ClientProblem} */
export async function register(
  body: unknown,
  { sealer, now, hosts }: { sealer: Sealer; now: number; hosts: readonly string[] },
): Promise<Registration> {
  const { name, redirectUris } = readMetadata(body, hosts)
  const registered = Math.floor(now / 1000)
  const sealed = await sealer.seal('client', { n: name, r: redirectUris, t: registered })
  const client = { id: PREFIX + sealed, name, redirectUris, registered }
  // Characters that JSON escapes take more room than was counted.
  if (client.id.length > LONGEST_ID)
    throw new ClientProblem('invalid_redirect_uri', 'redirect_uris must be shorter')
  return {
    client,
    answer: {
      client_id: client.id,
      client_id_issued_at: registered,
      ...(name !== '' && { client_name: name }),
      redirect_uris: redirectUris,
      // A client that asked for a secret learns here that it gets none: PKCE protects its codes.
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  }
}

/** @returns `undefined` if this server did not issue the id. */
export async function registeredClient(sealer: Sealer, id: string): Promise<Client | undefined> {
  if (!id.startsWith(PREFIX) || id.length > LONGEST_ID) return undefined
  const value = await sealer.open('client', id.slice(PREFIX.length))
  if (!isObject(value)) return undefined
  const { n: name, r: redirectUris, t: registered } = value
  const isComplete =
    isString(name) && isArrayOf(redirectUris, isString) && typeof registered === 'number'
  return isComplete ? { id, name, redirectUris, registered } : undefined
}
