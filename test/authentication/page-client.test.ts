// The OAuth client of the page against a certified authorization server: as which client it signs users in, and what it refuses.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, finish, type Wanted } from '../../components/web/src/page/app/sign-in/oauth.ts'
import { clientMetadata } from '../../components/web/src/sign-in.ts'
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts'

const RESOURCE = 'https://gateway.example/mcp'
const REDIRECT = 'https://gateway.example/app/oauth/redirect'
const METADATA = 'https://gateway.example/app/oauth/client.json'

let issuer: AuthorizationServer
/** A server whose metadata a test chooses. */
let double: Server
let metadata: object | undefined
let paths: string[] = []

beforeAll(async () => {
  issuer = await startAuthorizationServer({
    // As the component serves it.
    fetchClient: async (url) => Response.json(clientMetadata(new URL(url))),
  })
  double = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(metadata ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(metadata ?? {}))
  })
  await new Promise<void>((resolve) => double.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await issuer.close()
  double.close()
})

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  issuer: issuer.url,
  resource: RESOURCE,
  scopes: ['tools'],
  redirectUri: REDIRECT,
  configured: {},
  metadataUrl: METADATA,
  registered: undefined,
  keep: () => undefined,
  ...more,
})

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >
}

async function signIn(more: Partial<Wanted> = {}) {
  const { url, attempt } = await begin(wanted(more))
  const back = await issuer.signIn(new URL(url))
  return { attempt, back, grant: await finish(attempt, back.search) }
}

describe('the page signs in', () => {
  it('by its metadata document, where the authorization server can request it', async () => {
    const { grant, back } = await signIn()
    expect(back.origin + back.pathname).toBe(REDIRECT)
    expect(claimsOf(grant.token)).toMatchObject({
      aud: RESOURCE,
      client_id: METADATA,
      scope: 'tools',
    })
  })

  it('by a registration, where the page has no address that the server reaches', async () => {
    const kept: string[] = []
    const local = {
      metadataUrl: undefined,
      redirectUri: 'http://127.0.0.1:3000/app/oauth/redirect',
    }
    const { grant } = await signIn({ ...local, keep: (id) => kept.push(id) })
    expect(kept).toEqual([claimsOf(grant.token)['client_id']])
    // The next sign-in uses the same.
    const again = await signIn({ ...local, registered: kept[0], keep: (id) => kept.push(id) })
    expect(claimsOf(again.grant.token)['client_id']).toBe(kept[0])
    expect(kept).toHaveLength(1)
  })

  it('by what the operator has configured for this server, before all else', async () => {
    for (const configured of [{ '*': 'by hand' }, { [issuer.url]: 'by hand', '*': 'other' }]) {
      const { attempt, url } = await begin(wanted({ configured, registered: 'earlier' }))
      expect(attempt.clientId).toBe('by hand')
      expect(new URL(url).searchParams.get('client_id')).toBe('by hand')
    }
    const other = { 'https://other.example': 'of another server' }
    expect((await begin(wanted({ configured: other }))).attempt.clientId).toBe(METADATA)
  })

  it('and renews the token for the same resource, with the newest refresh token', async () => {
    const { grant } = await signIn()
    const second = await grant.renew?.()
    const third = await second?.renew?.()
    expect(new Set([grant.token, second?.token, third?.token]).size).toBe(3)
    expect(claimsOf(third?.token ?? '')).toMatchObject({ aud: RESOURCE, sub: 'ada' })
    await third?.revoke()
    await expect(third?.renew?.()).rejects.toThrow('gave no token')
  })
})

describe('the page refuses', () => {
  const answer = async (change: (parameters: URLSearchParams) => void) => {
    const { url, attempt } = await begin(wanted())
    const back = await issuer.signIn(new URL(url))
    change(back.searchParams)
    return finish(attempt, back.search)
  }

  it.each([
    ['of another issuer', 'iss', 'https://evil.example'],
    ['without an issuer', 'iss', ''],
    ['with another state', 'state', 'x'.repeat(43)],
    ['without a state', 'state', ''],
    ['that is of another kind', 'response', 'a.b.c'],
  ])('an answer %s', async (_, name, value) => {
    const change = (parameters: URLSearchParams) =>
      value === '' ? parameters.delete(name) : parameters.set(name, value)
    await expect(answer(change)).rejects.toThrow('does not belong to this sign-in')
  })

  it('a code of another attempt, because its verifier is another', async () => {
    const other = await begin(wanted())
    const code = (await issuer.signIn(new URL(other.url))).searchParams.get('code') ?? ''
    const failure = answer((parameters) => parameters.set('code', code))
    await expect(failure).rejects.toMatchObject({
      said: expect.stringContaining('invalid_grant') as string,
    })
  })

  const at = () => `http://127.0.0.1:${(double.address() as AddressInfo).port}`
  const valid = (base: string) => ({
    issuer: base,
    authorization_endpoint: `${base}/auth`,
    token_endpoint: `${base}/token`,
    code_challenge_methods_supported: ['S256'],
  })

  it.each([
    ['that names another issuer', { issuer: 'https://evil.example' }, 'as another one'],
    ['without PKCE', { code_challenge_methods_supported: undefined }, 'PKCE'],
    ['with plain PKCE', { code_challenge_methods_supported: ['plain'] }, 'PKCE'],
    ['whose address is a script', { authorization_endpoint: 'javascript:alert(1)' }, 'not safe'],
    ['whose address has no TLS', { authorization_endpoint: 'http://evil.example/a' }, 'not safe'],
    ['that registers no clients', {}, 'set auth_client_id'],
  ])('a server %s', async (title, change, words) => {
    const base = `${at()}/${encodeURIComponent(title)}`
    metadata = { ...valid(base), ...change }
    const client: Record<string, string> = words.includes('auth_client_id') ? {} : { '*': 'page' }
    const failure = begin(wanted({ issuer: base, configured: client, metadataUrl: undefined }))
    await expect(failure).rejects.toMatchObject({
      name: 'SignInError',
      message: expect.stringContaining(words) as string,
    })
  })

  it('a server without metadata, after it has tried the three addresses in order', async () => {
    metadata = undefined
    paths = []
    await expect(begin(wanted({ issuer: `${at()}/realms/main` }))).rejects.toThrow('RFC 8414')
    expect(paths).toEqual([
      '/.well-known/oauth-authorization-server/realms/main',
      '/.well-known/openid-configuration/realms/main',
      '/realms/main/.well-known/openid-configuration',
    ])
  })

  it('a server that cannot be reached, with what its operator has to do', async () => {
    const failure = begin(wanted({ issuer: 'http://127.0.0.1:9' }))
    await expect(failure).rejects.toThrow('CORS')
  })
})
