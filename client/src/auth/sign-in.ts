import { authorize, type AuthorizeOptions } from './authorize.ts'
import { machineClient } from './client-identity.ts'
import { checkToken } from './check-token.ts'
import {
  type Prepared,
  type PrepareOptions,
  findAuthorizationServer,
} from './find-authorization-server.ts'
import type { SignIn, TokenStore } from './token-store.ts'
import { tokensForMachine } from './token-requests.ts'

/** Options of {@link signIn}. */
export interface SignInOptions extends PrepareOptions, AuthorizeOptions {
  store: TokenStore
}

/**
 * Signs the user in at a server with a browser, and stores the tokens if the server accepts them.
 *
 * @throws {AuthenticationError}
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export async function signIn(address: string | URL, options: SignInOptions): Promise<SignIn> {
  const prepared = await findAuthorizationServer(address, options)
  const { client, tokens } = await authorize(prepared, options)
  return stored(prepared, { grant: 'authorization_code', client, tokens }, options)
}

/**
 * Signs a machine in with its own credentials, and stores the token.
 *
 * @throws {AuthenticationError}
 */
export async function signInMachine(
  address: string | URL,
  options: PrepareOptions & { store: TokenStore },
): Promise<SignIn> {
  const prepared = await findAuthorizationServer(address, options)
  const { as, resource, scope, fetch } = prepared
  const { client: settings = {} } = options
  const client = machineClient(settings, as)
  const tokens = await tokensForMachine({ as, client, settings, resource, scope, fetch })
  return stored(prepared, { grant: 'client_credentials', client, tokens }, options)
}

async function stored(
  prepared: Prepared,
  { grant, client, tokens }: Pick<SignIn, 'grant' | 'client' | 'tokens'>,
  options: PrepareOptions & { store: TokenStore },
): Promise<SignIn> {
  const { server, resource, as } = prepared
  const { store } = options
  await checkToken(prepared, tokens, options)
  const done: SignIn = {
    version: 1,
    server: server.href,
    resource,
    issuer: as.issuer,
    grant,
    client,
    tokens,
    signedInAt: Date.now(),
  }
  await store.locked(server, () => store.save(done))
  return done
}
