import { readFile } from 'node:fs/promises'
import type { AuthConfig } from '../config/server-config.ts'
import { ConfigError } from '../errors.ts'
import { serverAddress } from './addresses.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import type { ClientSettings } from './client-identity.ts'
import { MachineTokens } from './machine-tokens.ts'
import { readPrivateKey, type SigningKey } from './private-key.ts'
import { StoredTokens } from './token-source.ts'
import { TokenStore } from './token-store.ts'

/**
 * The `fetch` of a configured server.
 *
 * @throws {ConfigError} {@link AuthenticationError}
 */
export async function configuredFetch(url: string, auth: AuthConfig): Promise<typeof fetch> {
  const server = serverAddress(url)
  const client = await clientSettings(auth)
  const source =
    auth.grant === 'client_credentials'
      ? new MachineTokens(server, {
          client,
          ...(auth.scope !== undefined && { scope: auth.scope }),
        })
      : new StoredTokens(server, { store: new TokenStore(), client })
  return authorizedFetch(server, source)
}

/** Reads the secret or key that the configuration names. @throws {ConfigError} */
export async function clientSettings(
  auth: AuthConfig,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ClientSettings> {
  const { clientId: id, clientSecretEnv, issuer } = auth
  const secret =
    clientSecretEnv === undefined ? undefined : variable('clientSecretEnv', clientSecretEnv)
  const key = await keyOf(auth)
  return {
    ...(id !== undefined && { id }),
    ...(issuer !== undefined && { issuer }),
    ...(secret !== undefined && { secret }),
    ...(key && { key }),
  }

  async function keyOf({
    privateKeyEnv,
    privateKeyFile,
  }: AuthConfig): Promise<SigningKey | undefined> {
    if (privateKeyEnv !== undefined) {
      return readPrivateKey(variable('privateKeyEnv', privateKeyEnv), `auth.privateKeyEnv`)
    }
    if (privateKeyFile === undefined) return undefined
    const text = await readFile(privateKeyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError(
        'auth.privateKeyFile',
        `${privateKeyFile} cannot be read (${error.code})`,
      )
    })
    return readPrivateKey(text, 'auth.privateKeyFile')
  }

  function variable(field: string, name: string): string {
    const value = env[name]
    if (value !== undefined && value !== '') return value
    throw new ConfigError(`auth.${field}`, `the environment variable ${name} is not set`)
  }
}
