/** A certified authorization server (oidc-provider) whose only user, ada, signs in and consents at once. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA'

export interface AuthorizationServer {
  url: string
  /** Of a client that uses its own credentials. */
  machineToken(resource: string, algorithm?: SigningAlgorithm): Promise<string>
  /** Follows an authorization request as a browser does. @returns the address of the client that it ends at. */
  signIn(address: URL): Promise<URL>
  close(): Promise<void>
}

const SCOPE = 'tools'
/** A client gets it if it asks for it. */
const MORE = 'math'

function privateJwk({ privateKey }: { privateKey: KeyObject }, alg: SigningAlgorithm) {
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: alg.toLowerCase() }
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Of the next token. */
  let algorithm: SigningAlgorithm = 'ES256'
  const provider = new Provider(url, {
    jwks: {
      keys: [
        privateJwk(generateKeyPairSync('rsa', { modulusLength: 2048 }), 'RS256'),
        privateJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'),
        privateJwk(generateKeyPairSync('ed25519'), 'EdDSA'),
      ],
    },
    clients: [
      {
        client_id: 'machine',
        client_secret: 'secret of the machine',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    cookies: { keys: ['cookies'] },
    scopes: ['openid', 'offline_access', SCOPE, MORE],
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_: unknown, audience: string) => ({
          scope: `${SCOPE} ${MORE}`,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
          jwt: { sign: { alg: algorithm } },
        }),
      },
    },
  })
  const callback = provider.callback()

  server.on('request', (request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const { prompt, params, session, grantId } = await provider.interactionDetails(
      request,
      response,
    )
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
    }
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
    const grant =
      known ??
      new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id })
    const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details
    grant.addOIDCScope(missingOIDCScope.join(' '))
    for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
      grant.addResourceScope(resource, scopes.join(' '))
    }
    const result = { consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: true,
    })
  }

  return {
    url,
    async machineToken(resource, wanted = 'ES256') {
      algorithm = wanted
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from('machine:secret+of+the+machine').toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: SCOPE }),
      })
      const { access_token: token } = (await response.json()) as { access_token?: string }
      if (token === undefined) throw new Error(`no token: ${response.status}`)
      return token
    },
    async signIn(address) {
      const cookies = new Map<string, string>()
      for (let step = 0; address.origin === url; step++) {
        if (step === 20) throw new Error(`the sign-in does not end: ${address.pathname}`)
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`${response.status}: ${await response.text()}`)
        address = new URL(location, address)
      }
      return address
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
