import { ConfigError } from '../errors.ts'
import type { AuthConfig } from './server-config.ts'

const FIELDS = [
  'grant',
  'clientId',
  'clientSecretEnv',
  'privateKeyEnv',
  'privateKeyFile',
  'issuer',
  'scope',
] as const
const GRANTS = ['stored', 'client_credentials'] as const

/**
 * Reads how to authenticate at a server.
 *
 * @param filled fills in variables.
 * @throws {ConfigError}
 */
export function parseAuth(
  fields: Record<string, unknown>,
  field: string,
  filled: (value: string, at: string) => string,
): AuthConfig {
  const auth: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const at = `${field}.${name}`
    if (!(FIELDS as readonly string[]).includes(name)) {
      throw new ConfigError(at, `must be one of ${FIELDS.join(', ')}`)
    }
    if (typeof value !== 'string') throw new ConfigError(at, 'must be a string')
    auth[name] = filled(value, at)
  }
  const { grant, clientId, clientSecretEnv, privateKeyEnv, privateKeyFile, issuer } =
    auth as AuthConfig
  if (grant !== undefined && !GRANTS.includes(grant)) {
    throw new ConfigError(
      `${field}.grant`,
      `"${String(grant)}" must be one of ${GRANTS.join(', ')}`,
    )
  }
  const credentials = [clientSecretEnv, privateKeyEnv, privateKeyFile].filter(
    (each) => each !== undefined,
  )
  if (credentials.length > 1) {
    throw new ConfigError(field, 'must have one of clientSecretEnv, privateKeyEnv, privateKeyFile')
  }
  if (grant === 'client_credentials' && (clientId === undefined || credentials.length === 0)) {
    throw new ConfigError(
      field,
      'needs "clientId", and one of clientSecretEnv, privateKeyEnv, privateKeyFile',
    )
  }
  if (clientSecretEnv !== undefined && issuer === undefined) {
    throw new ConfigError(
      `${field}.issuer`,
      'is needed: a secret is sent to this authorization server only',
    )
  }
  return auth
}
