/** Which client this program is at an authorization server, and how it proves that. */
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  modifyAssertion,
  None,
  PrivateKeyJwt,
} from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import type { SigningKey } from './private-key.ts'
import { parseUrl } from './parse-url.ts'

/** What the user or a configuration says about this client. */
export interface ClientSettings {
  /** Id of a client that is registered at the authorization server. */
  id?: string
  /** Its secret. Threat: a server chooses its authorization server, which would receive it; so it needs `issuer`. */
  secret?: string
  /** Its private key, for `private_key_jwt`. */
  key?: SigningKey
  /** The authorization server to use; one that the server names. @default the first one that it names */
  issuer?: string
  /** Address of a client id metadata document, used where the authorization server supports it. */
  metadataUrl?: string
}

/** The client at one authorization server. */
export interface RegisteredClient {
  id: string
  /** Set if the authorization server gave it in a dynamic registration. */
  secret?: string
  /** The secret or key comes from the settings each time, and is not stored. */
  isConfidential?: boolean
}

/**
 * The client of the settings.
 *
 * @throws {AuthenticationError} when a secret could reach an authorization server that it is not for.
 */
export function configuredClient(
  { id, secret, key, issuer }: ClientSettings,
  as: AuthorizationServer,
): RegisteredClient | undefined {
  if (id === undefined) return undefined
  if (secret !== undefined && !isSameIssuer(issuer, as.issuer)) {
    throw new AuthenticationError(
      'a client secret is only sent to the authorization server that it is for. ' +
        `The server names ${as.issuer}: if that is the one, give it with --issuer or FTL_ISSUER`,
    )
  }
  return { id, ...((secret ?? key) !== undefined && { isConfidential: true }) }
}

/** The client of the settings, with a secret or a key. @throws {AuthenticationError} */
export function machineClient(settings: ClientSettings, as: AuthorizationServer): RegisteredClient {
  const client = configuredClient(settings, as)
  if (client?.isConfidential === true) return client
  throw new AuthenticationError(
    'a machine needs the id of its client, and a secret or a private key',
  )
}

/** An issuer is compared as a URL, because a path of `/` may be left out. */
export function isSameIssuer(one: string | undefined, other: string): boolean {
  return one !== undefined && parseUrl(one)?.href === parseUrl(other)?.href
}

/** @throws {AuthenticationError} when the secret or key of the settings is missing. */
export function authenticationOf(
  client: RegisteredClient,
  settings: ClientSettings,
  as: AuthorizationServer,
): ClientAuth {
  if (client.secret !== undefined) return bySecret(client.secret, as)
  if (client.isConfidential !== true) return None()
  // The settings may have changed since the sign-in: these must still be of the same client and issuer.
  const own = settings.id === client.id ? settings : {}
  if (own.key) return byKey(own.key, as)
  if (own.secret !== undefined && isSameIssuer(own.issuer, as.issuer))
    return bySecret(own.secret, as)
  throw new AuthenticationError(
    `the client ${client.id} of ${as.issuer} needs its secret or private key: ` +
      'set FTL_CLIENT_ID, FTL_ISSUER, and FTL_CLIENT_SECRET or FTL_CLIENT_KEY',
  )
}

function bySecret(secret: string, as: AuthorizationServer): ClientAuth {
  const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret)
}

function byKey(key: SigningKey, as: AuthorizationServer): ClientAuth {
  const known = as.token_endpoint_auth_signing_alg_values_supported ?? ['EdDSA']
  return PrivateKeyJwt(key, {
    [modifyAssertion]: (header) => {
      // RFC 9864 renames EdDSA; most servers know only the older name.
      if (header['alg'] === 'Ed25519' && known.includes('EdDSA')) header['alg'] = 'EdDSA'
    },
  })
}
