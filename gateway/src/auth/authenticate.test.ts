import { afterEach, describe, expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH, KEY_ENTRY } from '../testing/authenticated.ts'
import { call, createWorld, post, several, tool } from '../testing/components.ts'
import {
  API_KEY,
  AUDIENCE,
  digestOf,
  ISSUER,
  JWKS_URL,
  METADATA_URL,
  tokenWith,
} from '../testing/issuer.ts'

const METADATA = 'https://gateway.example/.well-known/oauth-protected-resource/mcp'
const CHALLENGE = `Bearer resource_metadata="${METADATA}"`
const rpc = (message: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(message),
})
const CALL = rpc(call('a', {}))
const modern = {
  ...CALL,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
}

afterEach(() => vi.restoreAllMocks())

/** Every route of the gateway, and how a client uses it. */
const FACES: [face: string, path: string, init?: RequestInit][] = [
  ['MCP of 2025', '/mcp', CALL],
  ['the list of MCP of 2025', '/mcp', rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['a handshake', '/mcp', rpc({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })],
  ['a notification', '/mcp', rpc({ jsonrpc: '2.0', method: 'notifications/initialized' })],
  ['MCP of 2026', '/mcp', modern],
  ['MCP of one component', '/mcp/x/one', CALL],
  ['GET /mcp', '/mcp'],
  ['/invoke', '/invoke', rpc({ tool: 'a', params: {} })],
  ['the OpenAI form', '/invoke', rpc([{ id: '1', type: 'function', function: { name: 'a' } }])],
  ['/tools', '/tools'],
  ['the OpenAI list', '/tools?format=openai'],
  ['/tools/{name}', '/tools/a'],
  ['a call of /tools/{name}', '/tools/a', rpc({})],
  ['/jobs', '/jobs/97890d15-b8ea-410b-a322-7c35d1415d5f'],
  ['a cancel', '/jobs/97890d15-b8ea-410b-a322-7c35d1415d5f', { method: 'DELETE' }],
  ['/jobs/{id}/events', '/jobs/97890d15-b8ea-410b-a322-7c35d1415d5f/events'],
  ['/outputs', '/outputs/97890d15-b8ea-410b-a322-7c35d1415d5f.png'],
  ['/openapi.json', '/openapi.json'],
  ['/health/components', '/health/components'],
  ['/whoami', '/whoami'],
  ['a path without a route', '/nothing'],
]

describe('a caller without a token', () => {
  it.each(FACES)('gets neither a call nor knowledge at %s', async (_, path, init) => {
    const world = authenticatedWorld()
    const response = await world.get(path, undefined, init)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(CHALLENGE)
    const text = await response.text()
    expect(text).not.toMatch(/"a"|one|The tool/)
    expect(world.log).toEqual([])
    expect(world.asked).toEqual([])
  })

  it.each(FACES)(
    'and with a token or an API key the same request passes: %s',
    async (_, path, init) => {
      for (const token of [tokenWith(), API_KEY]) {
        const { status } = await authenticatedWorld().get(path, token, init)
        expect(status).not.toBe(401)
      }
    },
  )

  it('can probe the health, and load the page that describes the API', async () => {
    const world = authenticatedWorld()
    expect(await (await world.get('/health')).json()).toEqual({ status: 'ok' })
    expect((await world.get('/docs')).status).toBe(200)
    expect(world.log).toEqual([])
  })
})

describe('the challenge', () => {
  it('names the scopes that every request needs', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_scopes: 'tools jobs' })
    const { headers } = await world.get('/mcp', undefined, CALL)
    expect(headers.get('www-authenticate')).toBe(
      `Bearer scope="tools jobs", resource_metadata="${METADATA}"`,
    )
  })

  it('of a token with too few scopes is 403 with all of them', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_scopes: 'tools jobs' })
    for (const token of [tokenWith(), API_KEY]) {
      const response = await world.get('/mcp', token, CALL)
      expect(response.status).toBe(403)
      const text = response.headers.get('www-authenticate')
      expect(text).toContain('error="insufficient_scope"')
      expect(text).toContain('scope="tools jobs"')
      expect(text).toContain(`resource_metadata="${METADATA}"`)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    }
    const enough = tokenWith({ claims: { scope: 'jobs tools more' } })
    expect((await world.get('/mcp', enough, CALL)).status).toBe(200)
    expect(world.log).toContain('POST http://one.spin.internal/a')
  })

  it('of an invalid token is 401 with error="invalid_token"', async () => {
    const response = await authenticatedWorld().get('/tools', 'abc')
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"\\]+", resource_metadata="[^"]+"$/,
    )
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_token' } })
  })

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b', 'bearer "x"', 'Bearer ä'])(
    'of the header %j is 400',
    async (authorization) => {
      const response = await authenticatedWorld().get('/tools', undefined, {
        headers: { authorization },
      })
      expect(response.status).toBe(400)
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"')
    },
  )

  it('of another scheme is that of a request without a token', async () => {
    const headers = { authorization: 'Basic YWRhOnNlY3JldA==' }
    const response = await authenticatedWorld().get('/tools', undefined, { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(CHALLENGE)
  })

  it('of a token in the address is 400, even with a valid one in the header', async () => {
    const world = authenticatedWorld()
    for (const token of [undefined, tokenWith()]) {
      const response = await world.get(`/tools?access_token=${tokenWith()}`, token)
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('eyJ')
    }
  })

  it('names no metadata where there are only API keys, and there is none', async () => {
    const world = authenticatedWorld({ api_keys: BOTH.api_keys })
    const response = await world.get('/tools')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="ftl-mcp-gateway"')
    expect((await world.get('/.well-known/oauth-protected-resource')).status).toBe(404)
    expect((await world.get('/tools', tokenWith())).status).toBe(401)
  })
})

describe('the metadata of the resource', () => {
  const paths = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ]
  it.each(paths)('is at %s, for everyone', async (path) => {
    const response = await authenticatedWorld({ ...BOTH, auth_scopes: 'tools' }).get(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      resource: AUDIENCE,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools'],
      resource_name: 'ftl-mcp-gateway',
    })
  })

  it('is for no other path', async () => {
    const world = authenticatedWorld()
    for (const path of ['/mcp/x/one', '/other', '/']) {
      expect((await world.get(`${paths[0]}${path}`)).status).toBe(404)
    }
    expect((await world.get('/.well-known/other', undefined)).status).toBe(401)
  })

  it('has the address of the request on this machine, and of a listed host', async () => {
    const resourceAt = async (url: string, variables: Record<string, string>) => {
      const world = createWorld({ variables: { auth_issuers: ISSUER, ...variables } })
      const response = await world.send(new Request(`${url}/.well-known/oauth-protected-resource`))
      return (await response.json()) as { resource?: string; error?: { message: string } }
    }
    expect(await resourceAt('http://localhost:3000', {})).toMatchObject({
      resource: 'http://localhost:3000/mcp',
    })
    const listed = { allowed_hosts: 'gateway.example' }
    expect(await resourceAt('http://gateway.example', listed)).toMatchObject({ resource: AUDIENCE })
    for (const [url, variables] of [
      ['http://10.0.0.7', {}],
      ['http://anything.example', { allowed_hosts: '*' }],
    ] as const) {
      const { error } = await resourceAt(url, variables)
      expect(error?.message).toContain('"auth_audience" must be set')
    }
  })
})

describe('a request of the chat', () => {
  const ask = (
    origin: string | undefined,
    token?: string,
    variables: Record<string, string> = {},
  ) =>
    authenticatedWorld({ ...BOTH, auth_audience: '', ...variables }).send(
      new Request('http://mcp-gateway.spin.internal/whoami', {
        headers: {
          ...(origin !== undefined && { 'ftl-client-origin': origin }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      }),
    )

  it.each([
    ['http://localhost:3000', 'http://localhost:3000/mcp', {}],
    ['http://gateway.example', AUDIENCE, { allowed_hosts: 'gateway.example' }],
  ])('from %s has the audience %s', async (origin, aud, variables) => {
    expect((await ask(origin, tokenWith({ claims: { aud } }), variables)).status).toBe(200)
    const other = tokenWith({ claims: { aud: 'https://other.example/mcp' } })
    expect((await ask(origin, other, variables)).status).toBe(401)
    const refusal = await ask(origin, undefined, variables)
    expect(refusal.status).toBe(401)
    expect(refusal.headers.get('www-authenticate')).toContain(
      `resource_metadata="${new URL(aud).origin}/.well-known/oauth-protected-resource/mcp"`,
    )
  })

  it.each([
    undefined,
    '',
    'null',
    'nonsense',
    'ftp://localhost',
    'http://other.example',
    'http://gateway.example@other.example',
    'http://other.example#localhost',
    'http://mcp-gateway.spin.internal',
    'http://localhost:3000, http://localhost:3000',
  ])('cannot choose the audience by the address %j', async (origin) => {
    const variables = { allowed_hosts: 'gateway.example' }
    for (const aud of [AUDIENCE, 'http://other.example/mcp', 'https://other.example/mcp']) {
      expect((await ask(origin, tokenWith({ claims: { aud } }), variables)).status).toBe(500)
    }
  })

  it('alone may name another address', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_audience: '' })
    const headers = { 'ftl-client-origin': 'http://localhost:4000' }
    const token = (port: number) => tokenWith({ claims: { aud: `http://localhost:${port}/mcp` } })
    expect((await world.get('/whoami', token(4000), { headers })).status).toBe(401)
    expect((await world.get('/whoami', token(3000), { headers })).status).toBe(200)
  })
})

describe('a token', () => {
  it('is verified once, and its verdict is kept without the token', async () => {
    const world = authenticatedWorld()
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const token = tokenWith({ alg: 'RS256' })
    for (let time = 0; time < 3; time++) expect((await world.get('/tools', token)).status).toBe(200)
    expect(verify).toHaveBeenCalledTimes(1)
    expect(world.asked).toEqual([METADATA_URL, JWKS_URL])
    const store = await world.platform.openKeyValue('default')
    for (const key of await store.keys()) {
      const text = `${key} ${Buffer.from((await store.get(key)) ?? []).toString()}`
      for (const part of token.split('.')) expect(text).not.toContain(part)
    }
  })

  it('that has expired is refused, although its verdict is kept', async () => {
    let now = Date.now()
    const world = authenticatedWorld(BOTH, undefined, { now: () => now })
    const token = tokenWith()
    expect((await world.get('/tools', token)).status).toBe(200)
    now += 329_000
    expect((await world.get('/tools', token)).status).toBe(200)
    now += 3_000
    expect((await world.get('/tools', token)).status).toBe(401)
  })

  it('is not valid under another configuration, although its verdict is kept', async () => {
    const variables: Record<string, string> = { ...BOTH }
    const world = authenticatedWorld(variables)
    const token = tokenWith()
    expect((await world.get('/tools', token)).status).toBe(200)
    const { platform } = world
    const { variables: inner } = platform
    for (const [name, value] of [
      ['auth_audience', 'https://elsewhere.example/mcp'],
      ['auth_issuers', 'https://other.example'],
      ['auth_algorithms', 'RS256'],
    ] as const) {
      platform.variables = { get: (asked) => (asked === name ? value : inner.get(asked)) }
      expect((await world.get('/tools', token)).status, name).toBe(401)
    }
  })

  it('names its user to the component by the contract alone', async () => {
    const world = authenticatedWorld()
    await world.get('/mcp', tokenWith({ claims: { sub: 'ada lovelace/ä#1' } }), CALL)
    const headers = world.received.at(-1)
    expect(headers?.get('ftl-principal')).toBe(`${ISSUER}#ada%20lovelace%2F%C3%A4%231`)
    expect(JSON.parse(headers?.get('ftl-caller') ?? '')).toEqual({
      scopes: ['tools'],
      issuer: ISSUER,
      user: 'ada lovelace/ä#1',
    })
    expect(headers?.get('authorization')).toBeNull()
  })

  it.each([['sub:ada'], ['client:app'], ['jti:7'], [`principal:${ISSUER}#ada`]])(
    'that %s denies is refused',
    async (entry) => {
      const world = authenticatedWorld({ ...BOTH, auth_deny: `sub:eve, ${entry}` })
      const claims = { client_id: 'app', jti: '7' }
      expect((await world.get('/tools', tokenWith({ claims }))).status).toBe(401)
      const others = { client_id: 'b', jti: '8', sub: 'bob' }
      expect((await world.get('/tools', tokenWith({ claims: others }))).status).toBe(200)
    },
  )

  it('that is denied by its digest is refused', async () => {
    const [one, other] = [tokenWith({ claims: { n: 1 } }), tokenWith({ claims: { n: 2 } })]
    const world = authenticatedWorld({ ...BOTH, auth_deny: `token:${digestOf(one)}` })
    expect((await world.get('/tools', one)).status).toBe(401)
    expect((await world.get('/tools', other)).status).toBe(200)
  })
})

describe('an API key', () => {
  it('has a name of its own, and several work at once', async () => {
    const other = `ftl_${'x'.repeat(43)}`
    const entries = [KEY_ENTRY, { sha256: digestOf(other), principal: 'ci' }]
    const world = authenticatedWorld({ api_keys: JSON.stringify(entries) })
    for (const key of [API_KEY, other]) {
      expect((await world.get('/mcp', key, CALL)).status).toBe(200)
      expect(world.received.at(-1)?.get('ftl-principal')).toBe('key:ci')
    }
    expect((await world.get('/mcp', `${API_KEY.slice(0, -1)}x`, CALL)).status).toBe(401)
    expect((await world.get('/mcp', KEY_ENTRY.sha256, CALL)).status).toBe(401)
  })

  it('cannot be a guessable text, even where its digest is configured', async () => {
    const entries = [{ sha256: digestOf('secret'), principal: 'ci' }]
    const world = authenticatedWorld({ api_keys: JSON.stringify(entries) })
    expect((await world.get('/tools', 'secret')).status).toBe(401)
  })
})

describe('a configuration that cannot be used', () => {
  const errors: [variables: Record<string, string>, message: RegExp][] = [
    [{ auth_issuers: 'http://issuer.example' }, /auth_issuers.*https.*issuer.*entry 1/],
    [
      { auth_issuers: '[{"issuer":"https://a.example","jwks_uri":"http://b.example"}]' },
      /jwks_uri.*entry 1/,
    ],
    [{ auth_issuers: '[{"issuer":"https://a.example","jwks":{"keys":[]}}]' }, /jwks.*entry 1/],
    [{ auth_issuers: '["https://a.example"' }, /auth_issuers.*JSON array/],
    [{ auth_issuers: 'https://a.example,https://a.example' }, /twice/],
    [{ ...BOTH, auth_algorithms: 'HS256' }, /auth_algorithms.*RS256, ES256, EdDSA/],
    [{ ...BOTH, auth_algorithms: 'none' }, /auth_algorithms/],
    [{ ...BOTH, auth_audience: 'gateway' }, /auth_audience/],
    [{ ...BOTH, auth_leeway_ms: '900000' }, /auth_leeway_ms.*at most 300000/],
    [{ ...BOTH, auth_deny: 'ada' }, /auth_deny.*sub:/],
    [{ api_keys: 'not json' }, /api_keys.*JSON array/],
    [{ api_keys: '[{"sha256":"secret","principal":"a"}]' }, /api_keys.*sha256.*entry 1/],
    [
      { api_keys: `[{"sha256":"${'0'.repeat(64)}","principal":"a b"}]` },
      /api_keys.*principal.*entry 1/,
    ],
    [{ ...BOTH, own_store: '' }, /request_state_key.*must be set/],
    [{ trust_forwarded_user: 'yes' }, /trust_forwarded_user.*without-secret/],
  ]
  it.each(errors)(
    '%j serves nothing, and the answer names the field',
    async (variables, message) => {
      const world = authenticatedWorld(variables)
      const response = await world.get('/tools', tokenWith())
      expect(response.status).toBe(500)
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      expect(error.code).toBe('configuration')
      expect(error.message).toMatch(message)
      expect(error.message).not.toContain('secret"')
      expect(world.log).toEqual([])
    },
  )
})

it('without authentication no token is looked at', async () => {
  const world = createWorld({ components: { one: several([tool('a')]) } })
  const response = await world.send(post(call('a', {}), { authorization: 'Bearer nonsense' }))
  expect(response.status).toBe(200)
})
