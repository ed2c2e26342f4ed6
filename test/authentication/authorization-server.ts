/** A certified authorization server (oidc-provider) whose user signs in and consents at once, or is asked. */
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
  /** Whether a page asks the user to allow or to decline. @default false */
  asks: boolean
  /** How long the next tokens are valid. @default 300 */
  tokenSeconds: number
  /** Who signs in next. @default 'ada' */
  account: string
  /** Requests to the token endpoint so far. */
  tokenRequests: number
  close(): Promise<void>
}

export interface AuthorizationServerOptions {
  /** Requests the metadata documents of clients. @default these are not supported */
  fetchClient?: (url: string) => Promise<Response>
  /** Further clients, as registered by an administrator. */
  clients?: object[]
  /** Scopes of the resource besides `tools`. */
  scopes?: string[]
  /** What it knows of a user besides `sub`, each by the scope that it comes with. @default nothing */
  claims?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** What the access tokens of a user have besides. @default nothing */
  tokenClaims?: (user: string) => object
  /** Settings of oidc-provider that replace its own; clients are added. */
  configuration?: { clients?: object[]; features?: object }
}

const SCOPE = 'tools'
/** A client gets it if it asks for it. */
const MORE = 'math'

function privateJwk({ privateKey }: { privateKey: KeyObject }, alg: SigningAlgorithm) {
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: alg.toLowerCase() }
}

export async function startAuthorizationServer({
  fetchClient,
  clients = [],
  scopes = [],
  claims = {},
  tokenClaims = () => ({}),
  configuration = {},
}: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Of the next token. */
  let algorithm: SigningAlgorithm = 'ES256'
  const state = { asks: false, tokenSeconds: 300, account: 'ada', tokenRequests: 0 }
  const { clients: _, features: replaced, ...settings } = configuration
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
      ...clients,
      ...(configuration.clients ?? []),
    ],
    cookies: { keys: ['cookies'] },
    clientBasedCORS: () => true,
    ...(fetchClient && { fetch: (url: URL) => fetchClient(String(url)) }),
    scopes: ['openid', 'offline_access', SCOPE, MORE, ...scopes, ...Object.keys(claims)],
    claims: {
      openid: ['sub'],
      ...Object.fromEntries(
        Object.entries(claims).map(([scope, values]) => [scope, Object.keys(values)]),
      ),
    },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => Object.assign({ sub: id }, ...Object.values(claims)) as object,
    }),
    extraTokenClaims: async (_: unknown, { accountId = '' }: { accountId?: string }) =>
      tokenClaims(accountId),
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      ...(fetchClient && { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } }),
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_: unknown, audience: string) => ({
          scope: [SCOPE, MORE, ...scopes].join(' '),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: state.tokenSeconds,
          jwt: { sign: { alg: algorithm } },
        }),
      },
      ...replaced,
    },
    ...settings,
  })
  const callback = provider.callback()

  server.on('request', (request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/token') state.tokenRequests++
    // The provider allows pages to use its other endpoints by itself. Pages with a client of their own need no help.
    if (request.url === '/reg' && configuration.clients === undefined) {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', 'content-type')
      if (request.method === 'OPTIONS') return void response.end()
    }
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const choice = /^\/interaction\/[^/]+\/(allow|decline)$/.exec(request.url)?.[1]
    const { prompt, params, session, grantId } = await provider.interactionDetails(
      request,
      response,
    )
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, {
        login: { accountId: state.account },
      })
    }
    if (choice === 'decline') {
      const error_description = 'Ada said <b>no</b>\u202e and left'
      const declined = { error: 'access_denied', error_description }
      return provider.interactionFinished(request, response, declined)
    }
    if (state.asks && choice === undefined) return question(request, response)
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

  function question({ url: path = '' }: IncomingMessage, response: ServerResponse): void {
    const button = (choice: string) =>
      `<form method="post" action="${path}/${choice}"><button>${choice}</button></form>`
    response.setHeader('content-type', 'text/html')
    response.end(`<title>The authorization server</title>${button('allow')}${button('decline')}`)
  }

  return Object.assign(state, {
    url,
    async machineToken(resource: string, wanted: SigningAlgorithm = 'ES256') {
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
    async signIn(address: URL) {
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
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
