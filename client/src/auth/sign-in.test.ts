import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  firstly,
  metadata,
  METADATA,
  type OAuthServers,
  RESOURCE,
  startOAuthServers,
  unauthorized,
} from '../testing/oauth-servers.ts'
import { type SignInOptions, signIn } from './sign-in.ts'
import { TokenStore } from './token-store.ts'

let servers: OAuthServers
let folder: string
let store: TokenStore
beforeEach(async () => {
  servers = await startOAuthServers()
  folder = await mkdtemp(join(tmpdir(), 'ftl-sign-in-'))
  store = new TokenStore(join(folder, 'tokens'))
})
afterEach(async () => {
  await servers.close()
  await rm(folder, { recursive: true })
})

const start = (options: Partial<SignInOptions> = {}) =>
  signIn(servers.server, {
    store,
    onAddress: (address) => void servers.browse(address),
    ...options,
  })

const requestOf = (path: string) => servers.received.find(({ url }) => url.pathname === path)

/** The reason, of a sign-in that must neither request a token nor store one. */
async function refusal(options: Partial<SignInOptions> = {}): Promise<string> {
  const reason = await start(options).then(
    () => 'signed in',
    (error: Error) => error.message,
  )
  expect(servers.paths()).not.toContain('/token')
  expect(await store.all()).toEqual([])
  return reason
}

describe('a sign-in', () => {
  it('uses PKCE, and names the resource in both requests', async () => {
    const done = await start()
    const asked = requestOf('/authorize')?.url.searchParams
    const { form } = requestOf('/token') ?? {}
    expect(asked?.get('code_challenge_method')).toBe('S256')
    const verifier = form?.get('code_verifier') ?? ''
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(
      asked?.get('code_challenge'),
    )
    expect([asked?.get('resource'), form?.get('resource')]).toEqual([
      servers.server,
      servers.server,
    ])
    expect([asked?.get('scope'), form?.get('code')]).toEqual(['tools', 'the-code'])
    expect(asked?.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    expect(done).toMatchObject({ issuer: servers.issuer, client: { id: 'registered' } })
    expect(await store.find(new URL(servers.server))).toEqual(done)
  })

  it('requests the scopes of the challenge, not all that the server knows', async () => {
    servers.routes.set('/mcp', firstly(unauthorized('scope="read write"')))
    await start()
    expect(requestOf('/authorize')?.url.searchParams.get('scope')).toBe('read write')
  })

  it('finds the metadata of the server at the path form, then at the root form', async () => {
    const document = servers.routes.get(RESOURCE)
    servers.routes.set('/mcp', firstly({ status: 401 }))
    await start()
    servers.routes.delete(RESOURCE)
    servers.routes.set('/.well-known/oauth-protected-resource', document ?? (() => ({})))
    await start()
    expect(servers.paths().filter((path) => path.includes('oauth-protected-resource'))).toEqual([
      RESOURCE,
      RESOURCE,
      '/.well-known/oauth-protected-resource',
    ])
  })

  it('finds the metadata of an issuer with a path in the order of the specification', async () => {
    const issuer = `${servers.issuer}/tenant`
    servers.routes.set(RESOURCE, () => ({
      body: { resource: servers.server, authorization_servers: [issuer] },
    }))
    servers.routes.set('/tenant/.well-known/openid-configuration', () => ({
      body: {
        ...metadata(servers.issuer),
        issuer,
        authorization_response_iss_parameter_supported: false,
      },
    }))
    const authorize = servers.routes.get('/authorize')
    servers.routes.set('/authorize', (request) => {
      const answer = authorize?.(request) ?? {}
      const location = new URL(answer.headers?.['location'] ?? '')
      location.searchParams.set('iss', issuer)
      return { ...answer, headers: { location: location.href } }
    })
    await start()
    const tried = servers.paths().filter((path) => /oauth-authorization|openid/.test(path))
    expect(tried).toEqual([
      `${METADATA}/tenant`,
      '/.well-known/openid-configuration/tenant',
      '/tenant/.well-known/openid-configuration',
    ])
  })

  it('accepts a redirect address that the user pastes, and nothing that is not one', async () => {
    const paste = async (change: (address: URL) => void) => {
      let shown: (address: URL) => void = () => undefined
      const address = new Promise<URL>((resolve) => (shown = resolve))
      const pasted = async () => {
        const { headers } = await fetch(await address, { redirect: 'manual' })
        const back = new URL(headers.get('location') ?? '')
        change(back)
        return back.href
      }
      return start({ onAddress: shown, pasted }).then(
        () => 'signed in',
        (error: Error) => error.message,
      )
    }
    expect(await paste(() => undefined)).toBe('signed in')
    expect(await paste((back) => back.searchParams.set('state', 'another'))).toContain('"state"')
    expect(await paste((back) => (back.search = ''))).toContain('not the address')
  })

  it('is not possible where the server needs none, or names no authorization server', async () => {
    servers.routes.delete(RESOURCE)
    servers.routes.set('/mcp', () => ({ status: 405 }))
    expect(await refusal()).toContain('does not require sign-in')
    servers.routes.set('/mcp', () => ({ status: 401 }))
    expect(await refusal()).toContain('--token')
    servers.routes.delete('/mcp')
    expect(await refusal()).toContain('HTTP 404')
  })

  it('ends after the time that the user has, and when it is cancelled', async () => {
    expect(await refusal({ onAddress: () => undefined, patienceMs: 20 })).toContain('not completed')
    const stop = new AbortController()
    const started = refusal({
      onAddress: () => stop.abort(new Error('stopped')),
      signal: stop.signal,
    })
    expect(await started).toBe('stopped')
  })
})

describe('a client', () => {
  it('that is registered already is used, and none is registered', async () => {
    await start({ client: { id: 'mine' } })
    expect(requestOf('/authorize')?.url.searchParams.get('client_id')).toBe('mine')
    expect(servers.paths()).not.toContain('/register')
  })

  it('is its metadata document where the authorization server supports that, else it registers', async () => {
    const metadataUrl = 'https://client.example/ftl.json'
    await start({ client: { metadataUrl } })
    expect(requestOf('/authorize')?.url.searchParams.get('client_id')).toBe('registered')
    servers.received.length = 0
    servers.routes.set(METADATA, () => ({
      body: { ...metadata(servers.issuer), client_id_metadata_document_supported: true },
    }))
    await start({ client: { metadataUrl } })
    expect(requestOf('/authorize')?.url.searchParams.get('client_id')).toBe(metadataUrl)
    expect(servers.paths()).not.toContain('/register')
  })

  it('registers as a native application', async () => {
    const registered: string[] = []
    servers.routes.set('/register', ({ form }) => {
      registered.push(String(form))
      return { status: 201, body: { client_id: 'registered' } }
    })
    await start()
    expect(decodeURIComponent(registered.join())).toContain('"application_type":"native"')
  })

  it('cannot be found: the message says what to do', async () => {
    const { registration_endpoint: _, ...rest } = metadata(servers.issuer)
    servers.routes.set(METADATA, () => ({ body: rest }))
    expect(await refusal()).toContain('--client-id')
  })
})
