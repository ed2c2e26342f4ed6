/** Options that say which client `ftl` is at an authorization server. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuthConfig } from 'ftl-client'

export interface ClientFlags {
  clientId?: string
  clientMetadataUrl?: string
  issuer?: string
  privateKey?: string
}

/**
 * `FTL_CLIENT_SECRET`: secret of the client of `ftl login`, for the server of `FTL_ISSUER` only.
 *
 * Not an option: other users of the machine can see the arguments of a command.
 */
export const SECRET_VARIABLE = 'FTL_CLIENT_SECRET'

const OPTIONS = {
  clientId: [
    '--client-id <id>',
    'FTL_CLIENT_ID',
    'id of a client registered at the authorization server',
  ],
  clientMetadataUrl: [
    '--client-metadata-url <url>',
    'FTL_CLIENT_METADATA_URL',
    'https address of a client id metadata document',
  ],
  issuer: [
    '--issuer <url>',
    'FTL_ISSUER',
    'the authorization server (the first one that the server names)',
  ],
  privateKey: [
    '--private-key <file>',
    'FTL_CLIENT_KEY',
    'private key of the client, PEM or JWK: RSA, P-256 or Ed25519',
  ],
} as const

export function withClientOptions(command: Command): Command {
  for (const [flags, variable, description] of Object.values(OPTIONS)) {
    command.addOption(new Option(flags, description).env(variable))
  }
  return command
}

/** The same from the environment only, for commands that use a sign-in. */
export function clientFlagsOf(env: NodeJS.ProcessEnv): ClientFlags {
  const set = Object.entries(OPTIONS).map(([name, [, variable]]) => [
    name,
    env[variable] || undefined,
  ])
  return Object.fromEntries(set.filter(([, value]) => value !== undefined)) as ClientFlags
}

/** The configuration of a server whose tokens are in the store. */
export function storedAuth(flags: ClientFlags, env: NodeJS.ProcessEnv = process.env): AuthConfig {
  const { clientId, issuer, privateKey } = flags
  return {
    ...(clientId !== undefined && { clientId }),
    ...(issuer !== undefined && { issuer }),
    ...(privateKey !== undefined && { privateKeyFile: privateKey }),
    ...(privateKey === undefined && env[SECRET_VARIABLE] && { clientSecretEnv: SECRET_VARIABLE }),
  }
}

export function parseScopes(text: string): string {
  const scopes = text.split(/[\s,]+/).filter(Boolean)
  if (scopes.length > 0 && scopes.every((each) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(each))) {
    return scopes.join(' ')
  }
  throw new InvalidArgumentError('give scopes separated by spaces, for example "tools files"')
}
