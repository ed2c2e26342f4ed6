/** Credentials for OCI registries. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'

/**
 * Base64 of `user:password`, as `docker login` and others write it to `config.json`.
 *
 * @returns `undefined` without a login, or when it is in a credential helper.
 */
export function loginOf(host: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const config = dockerConfig(env)
  const auths = isObject(config['auths']) ? config['auths'] : {}
  const entry = Object.hasOwn(auths, host) ? auths[host] : undefined
  const auth = isObject(entry) ? entry['auth'] : undefined
  return typeof auth === 'string' && auth !== '' ? auth : undefined
}

/** `FTL_REGISTRY_TOKEN`: token for the OCI registry that `ftl publish` pushes to; `ftl add` does not use it. */
const TOKEN_VARIABLE = 'FTL_REGISTRY_TOKEN'

/** `FTL_REGISTRY_USER`: user of this token, for registries that require its name. @default `ftl` */
const USER_VARIABLE = 'FTL_REGISTRY_USER'

/**
 * `FTL_REGISTRY_AUTH_HOST`: host of a token service that may get the password of a registry, besides hosts above and below
 * it.
 */
const TOKEN_HOST_VARIABLE = 'FTL_REGISTRY_AUTH_HOST'

/**
 * The login for a push. The token of the environment is for no registry in particular, and therefore sent only to one that the
 * user publishes to.
 *
 * @throws {CommandFailure}
 */
export function pushLogin(
  host: string,
  env: NodeJS.ProcessEnv = process.env,
): { login: string | undefined; from: string } {
  const token = env[TOKEN_VARIABLE]?.trim() ?? ''
  const user = env[USER_VARIABLE]?.trim() || 'ftl'
  if (token !== '') {
    if (/[\r\n\0]/.test(token)) throw new CommandFailure(`${TOKEN_VARIABLE} must be one line`)
    if (user.includes(':')) throw new CommandFailure(`${USER_VARIABLE} must not contain a colon`)
    const login = Buffer.from(`${user}:${token}`).toString('base64')
    return { login, from: TOKEN_VARIABLE }
  }
  const login = loginOf(host, env)
  if (login !== undefined) return { login, from: 'the config.json of Docker' }
  return { login: undefined, from: hasHelper(host, env) ? 'a credential helper' : '' }
}

/** Docker's own programs ask it; ftl does not run programs that a file names. */
function hasHelper(host: string, env: NodeJS.ProcessEnv): boolean {
  const config = dockerConfig(env)
  const helpers = config['credHelpers']
  return 'credsStore' in config || (isObject(helpers) && Object.hasOwn(helpers, host))
}

/** The host whose token service the user trusts with the passwords of registries. */
export const trustedTokenHost = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env[TOKEN_HOST_VARIABLE]?.trim().toLowerCase() || undefined

function dockerConfig(env: NodeJS.ProcessEnv): Record<string, unknown> {
  const folder = env['DOCKER_CONFIG'] ?? join(homedir(), '.docker')
  try {
    const config: unknown = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))
    return isObject(config) ? config : {}
  } catch {
    return {}
  }
}
