// Hostile servers, authorization servers, browsers and pages: none gets a token, and none makes this machine request
// what it should not.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  firstly,
  metadata,
  METADATA,
  type OAuthServers,
  RESOURCE,
  startOAuthServers,
  unauthorized,
} from '../testing/oauth-servers.ts'
import { findAuthorizationServer } from './find-authorization-server.ts'
import { type SignInOptions, signIn, signInMachine } from './sign-in.ts'
import { TokenStore } from './token-store.ts'

let servers: OAuthServers
let folder: string
let store: TokenStore
beforeEach(async () => {
  servers = await startOAuthServers()
  folder = await mkdtemp(join(tmpdir(), 'ftl-attack-'))
  store = new TokenStore(join(folder, 'tokens'))
})
afterEach(async () => {
  await servers.close()
  await rm(folder, { recursive: true })
})

/** The reason, of a sign-in that must neither request a token nor store one. */
async function refusal(options: Partial<SignInOptions> = {}): Promise<string> {
  const onAddress = (address: URL) => void servers.browse(address)
  const reason = await signIn(servers.server, { store, onAddress, ...options }).then(
    () => 'signed in',
    (error: Error) => error.message,
  )
  expect(servers.paths()).not.toContain('/token')
  expect(await store.all()).toEqual([])
  return reason
}

const serve = (path: string, body: object) => servers.routes.set(path, () => ({ body }))

/** Sends the browser back with other parameters. */
function sendBackWith(parameters: Record<string, string | undefined>): void {
  const authorize = servers.routes.get('/authorize')
  servers.routes.set('/authorize', (request) => {
    const answer: Answer = authorize?.(request) ?? {}
    const back = new URL(answer.headers?.['location'] ?? '')
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined) back.searchParams.delete(name)
      else back.searchParams.set(name, value)
    }
    return { ...answer, headers: { location: back.href } }
  })
}

describe('the authorization server is another one', () => {
  it('its metadata names another issuer', async () => {
    serve(METADATA, { ...metadata(servers.issuer), issuer: 'https://honest.example' })
    expect(await refusal()).toContain('another issuer: https://honest.example')
  })

  it('the answer comes from another issuer (mix-up), and nothing of it is shown', async () => {
    sendBackWith({ iss: 'https://other.example', error: 'x', error_description: 'call 555' })
    const reason = await refusal()
    expect(reason).toContain('"iss"')
    expect(reason).not.toContain('555')
  })

  it('the answer has no issuer, although the metadata promises one', async () => {
    sendBackWith({ iss: undefined })
    expect(await refusal()).toContain('"iss" (issuer) missing')
  })

  it('is not the one that the user expects', async () => {
    const client = { id: 'mine', secret: 'the-secret', issuer: 'https://honest.example' }
    expect(await refusal({ client })).toContain('does not accept tokens of https://honest.example')
  })

  it('would get the secret of a client that is registered elsewhere', async () => {
    const client = { id: 'mine', secret: 'the-secret' }
    const reason = await refusal({ client })
    expect(reason).toContain('FTL_ISSUER')
    await expect(signInMachine(servers.server, { store, client })).rejects.toThrow('FTL_ISSUER')
    expect(JSON.stringify(servers.received) + reason).not.toContain('the-secret')
    expect(servers.paths()).not.toContain('/authorize')
  })
})

it.each([[undefined], [['plain']]])(
  'an authorization server with the PKCE methods %o: nothing is started',
  async (methods) => {
    serve(METADATA, { ...metadata(servers.issuer), code_challenge_methods_supported: methods })
    expect(await refusal()).toContain('PKCE')
    expect(servers.paths()).not.toContain('/register')
  },
)

describe('the redirect', () => {
  it('of another page has a wrong state: it is refused, and the sign-in goes on', async () => {
    const statuses: number[] = []
    const done = await signIn(servers.server, {
      store,
      onAddress: (address) => {
        const forged = new URL(address.searchParams.get('redirect_uri') ?? '')
        forged.search = '?code=forged&state=wrong'
        void fetch(forged).then(async ({ status }) => {
          statuses.push(status, await servers.browse(address))
        })
      },
    })
    expect(statuses).toEqual([400, 200])
    expect(done.client.id).toBe('registered')
    expect(servers.received.map(({ form }) => form.get('code')).filter(Boolean)).toEqual([
      'the-code',
    ])
  })

  it('is guessed by a page again and again', async () => {
    const reason = await refusal({
      onAddress: (address) => {
        const redirect = address.searchParams.get('redirect_uri')
        for (let guess = 0; guess < 20; guess++) void fetch(`${redirect}?code=x&state=${guess}`)
      },
    })
    expect(reason).toContain('too many answers')
  })

  it('is reached under another name (DNS rebinding), by another method or path', async () => {
    const { request } = await import('node:http')
    const statusOf = (address: URL, options: object) =>
      new Promise((resolve) =>
        request(address, options, ({ statusCode }) => resolve(statusCode)).end(),
      )
    const statuses: unknown[] = []
    await refusal({
      patienceMs: 500,
      onAddress: (address) => {
        const redirect = new URL(address.searchParams.get('redirect_uri') ?? '')
        redirect.searchParams.set('state', address.searchParams.get('state') ?? '')
        const other = new URL('/other', redirect)
        void Promise.all([
          statusOf(redirect, { headers: { host: 'evil.example' } }),
          statusOf(redirect, { method: 'POST' }),
          statusOf(other, {}),
        ]).then((all) => statuses.push(...all))
      },
    })
    expect(statuses).toEqual([404, 405, 404])
  })

  it('has an error whose description would control the terminal', async () => {
    sendBackWith({
      code: undefined,
      error: 'access_denied',
      error_description: `\x1b]52;c;ZXZpbA==\x07\x1b[2J\u202eevil\r\n${'x'.repeat(5000)}`,
    })
    const reason = await refusal()
    expect(reason).toContain('evil')
    expect(reason).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
    expect(reason.length).toBeLessThan(400)
  })
})

describe('the metadata of the server', () => {
  it.each([
    ['at another origin', 'http://127.0.0.1:1/metadata', 'must be at http://127.0.0.1'],
    ['without encryption', 'http://foreign.example/metadata', 'must begin with https://'],
    ['in a file', 'file:///etc/passwd', 'must begin with https://'],
    ['nowhere', 'nonsense', 'not a valid URL'],
  ])('is %s', async (_, address, reason) => {
    servers.routes.set('/mcp', () => unauthorized(`resource_metadata="${address}"`))
    expect(await refusal()).toContain(reason)
    expect(servers.paths()).toEqual(['/mcp'])
  })

  it.each(['https://bank.example/mcp', 'http://127.0.0.1:1/mcp', 'mcp', undefined])(
    'is for the resource %s',
    async (resource) => {
      serve(RESOURCE, { resource, authorization_servers: [servers.issuer] })
      expect(await refusal()).toContain('for another server')
    },
  )

  it('is for a path beside the one of the server', async () => {
    serve(RESOURCE, { resource: `${servers.server}x`, authorization_servers: [servers.issuer] })
    expect(await refusal()).toContain('for another server')
  })

  it.each(['http://foreign.example', 'ftp://127.0.0.1', 'http://user:x@127.0.0.1', '::'])(
    'names the authorization server %s',
    async (issuer) => {
      serve(RESOURCE, { resource: servers.server, authorization_servers: [issuer] })
      expect(await refusal()).toMatch(/must begin with https|not a valid URL/)
    },
  )

  it('is endless', async () => {
    servers.routes.set(RESOURCE, () => ({ body: `{"x":"${'x'.repeat(300_000)}"}` }))
    expect(await refusal()).toContain('more than 256 KiB')
  })

  it('is not JSON, or another thing than an object', async () => {
    for (const body of ['<html>', '[]', 'null']) {
      servers.routes.set(RESOURCE, () => ({ body }))
      expect(await refusal()).toContain('not a JSON object')
    }
  })

  it('redirects without end', async () => {
    const location = servers.server
    for (const path of [RESOURCE, '/mcp']) {
      servers.routes.set(path, () => ({ status: 307, headers: { location } }))
    }
    expect(await refusal()).toContain('redirect')
    expect(servers.paths()).toEqual(['/mcp', RESOURCE])
  })
})

it('scopes of a challenge that no scope can be are left out', async () => {
  servers.routes.set('/mcp', firstly(unauthorized(String.raw`scope="a\"b"`)))
  const onAddress = (address: URL) => void servers.browse(address)
  await signIn(servers.server, { store, onAddress })
  const [asked] = servers.received.filter(({ url }) => url.pathname === '/authorize')
  expect(asked?.url.searchParams.get('scope')).toBe('tools')
})

describe('a server in public', () => {
  /** The answers of a server that this machine cannot reach in a test; every request is recorded. */
  async function reasonFor(issuer: string, endpoints = {}) {
    const requested: string[] = []
    const pages: Record<string, object> = {
      'https://gw.example/.well-known/oauth-protected-resource/mcp': {
        resource: 'https://gw.example/mcp',
        authorization_servers: [issuer],
      },
      'https://as.example/.well-known/oauth-authorization-server': {
        ...metadata('https://as.example'),
        ...endpoints,
      },
    }
    const fetch = async (address: string | URL | Request) => {
      const url = address instanceof Request ? address.url : String(address)
      requested.push(url)
      return pages[url] ? Response.json(pages[url]) : new Response(null, { status: 404 })
    }
    const reason = await findAuthorizationServer('https://gw.example/mcp', { fetch }).then(
      () => 'prepared',
      (error: Error) => error.message,
    )
    return { reason, requested }
  }

  it.each([
    'https://localhost:8443',
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:7f00:1]',
    'https://0.0.0.0',
    'https://10.1.2.3',
    'https://169.254.169.254',
    'https://[fd00::1]',
    'https://router.local',
    'https://intranet',
    'https://2130706433',
  ])('names %s inside the network', async (issuer) => {
    const { reason, requested } = await reasonFor(issuer)
    expect(reason).toContain('inside your machine or network')
    expect(requested.filter((url) => !url.startsWith('https://gw.example/'))).toEqual([])
  })

  it('has an authorization server with an endpoint inside the network', async () => {
    expect((await reasonFor('https://as.example')).reason).toBe('prepared')
    const inside = await reasonFor('https://as.example', { token_endpoint: 'https://10.0.0.1/' })
    expect(inside.reason).toContain('"token_endpoint"')
    const plain = await reasonFor('https://as.example', { token_endpoint: 'http://as.example/' })
    expect(plain.reason).toContain('https://')
  })

  it('is asked for no sign-in without encryption', async () => {
    await expect(findAuthorizationServer('http://gw.example/mcp', {})).rejects.toThrow(
      'not encrypted',
    )
  })
})
