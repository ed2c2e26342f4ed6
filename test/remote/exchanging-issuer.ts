/** An authorization server that exchanges tokens (RFC 8693), with tokens that jose signs and checks. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { json } from './faulty-server.ts'
import { serve } from './servers.ts'

export const CLIENT = { clientId: 'ftl', clientSecret: 'the-secret-of-ftl' }

export interface ExchangingIssuer {
  url: string
  /** Of a user, for a server. */
  token(sub: string, audience: string): Promise<string>
  /** Where tokens of callers have to be for. */
  gateway: string
  /** Requests to the token endpoint. */
  requests: URLSearchParams[]
  /** Answers exchanges in place of the issuer. */
  disturb: ((response: ServerResponse, form: URLSearchParams) => void) | undefined
  /** Path of the token endpoint. */
  endpoint: string
  close(): Promise<void>
}

export async function startIssuer(): Promise<ExchangingIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }]
  const state: Pick<ExchangingIssuer, 'gateway' | 'requests' | 'disturb' | 'endpoint'> = {
    gateway: '',
    requests: [],
    disturb: undefined,
    endpoint: '/token',
  }
  const server = await serve((request, response, body) => {
    const form = new URLSearchParams(body)
    if (state.disturb && form.has('subject_token')) return state.disturb(response, form)
    void answer(request, body).then(([status, value]) =>
      json(response, JSON.stringify(value), status),
    )
  })
  const url = new URL(server.url).origin

  const sign = (sub: string, audience: string) =>
    new SignJWT({ scope: 'tools' })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
      .setIssuer(url)
      .setSubject(sub)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)

  async function answer(request: IncomingMessage, body: string): Promise<[number, object]> {
    switch (request.url) {
      case '/.well-known/oauth-authorization-server':
      case '/.well-known/openid-configuration':
        return [
          200,
          { issuer: url, jwks_uri: `${url}/jwks`, token_endpoint: `${url}${state.endpoint}` },
        ]
      case '/jwks':
        return [200, { keys }]
      case state.endpoint:
        return tokens(request, new URLSearchParams(body))
      default:
        return [404, {}]
    }
  }

  async function tokens(
    { headers }: IncomingMessage,
    form: URLSearchParams,
  ): Promise<[number, object]> {
    state.requests.push(form)
    // Each part is encoded like a form (RFC 6749, section 2.3.1).
    const [, basic = ''] = (headers.authorization ?? '').split(' ')
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
    if (id !== CLIENT.clientId || secret !== CLIENT.clientSecret) {
      return [401, { error: 'invalid_client' }]
    }
    const audience = form.get('resource') ?? ''
    const given = { token_type: 'Bearer', expires_in: 300 }
    if (form.get('grant_type') === 'client_credentials') {
      return [200, { ...given, access_token: await sign('the client', audience) }]
    }
    try {
      const options = { issuer: url, audience: state.gateway }
      const { payload } = await jwtVerify(form.get('subject_token') ?? '', publicKey, options)
      const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token'
      const access_token = await sign(String(payload.sub), audience)
      return [200, { ...given, access_token, issued_token_type }]
    } catch {
      return [400, { error: 'invalid_grant' }]
    }
  }

  return Object.assign(state, { url, token: sign, close: () => server.close() })
}
