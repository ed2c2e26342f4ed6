// A resource server, an authorization server and other users that try to get a token that is not theirs, on a host that the test controls.
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { sha256 } from 'ftl-http'
import { describe, expect, it } from 'vitest'
import { tools } from '../main.ts'

const SERVER = 'https://mcp.example/mcp'
const ISSUER = 'https://login.example'
const SECRET = 'the-secret/of+ftl&more'
const CALLER = 'callers.token/of+ann'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

interface Answer {
  content?: { text: string }[]
  isError?: boolean
  _meta?: unknown
}

interface World {
  url?: string
  headers?: Record<string, string>
  /** Answers the token endpoint, at the address that was asked. @default a token */
  token?: (form: URLSearchParams, address: string) => Response | Promise<Response> | undefined
  /** The address of the token endpoint in the metadata. */
  endpoint?: () => string
  /** Answers a call of the tool with this token. */
  called?: (token: string) => Response | undefined
}

function start({
  url = SERVER,
  headers = {},
  token,
  endpoint = () => `${ISSUER}/token`,
  called,
}: World = {}) {
  /** Addresses and bodies, with the token of the request. */
  const requests: { address: string; body: string; authorization: string }[] = []
  const platform = memoryPlatform({
    variables: {
      remote_servers: JSON.stringify({
        tracker: {
          url,
          headers,
          auth: { type: 'exchange', issuer: ISSUER, clientId: 'ftl', clientSecret: SECRET },
        },
      }),
      remote_key: 'a-key-for-tests-of-32-characters!',
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const address = request.url
      const body = await request.text()
      const authorization = request.headers.get('authorization') ?? ''
      requests.push({ address, body, authorization })
      if (address === url) return serve(body, authorization.slice('Bearer '.length))
      if (address === `${ISSUER}/.well-known/oauth-authorization-server`) {
        return Response.json({ issuer: ISSUER, token_endpoint: endpoint() })
      }
      const form = new URLSearchParams(body)
      if (!form.has('grant_type')) return new Response('', { status: 404 })
      const given = form.has('subject_token') ? await token?.(form, address) : undefined
      const access_token = `for-${(await sha256(form.get('subject_token') ?? '')).slice(0, 16)}`
      return given ?? tokenAnswer(access_token)
    },
  })

  function serve(body: string, used: string): Response {
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    if (id === undefined) return new Response(null, { status: 202 })
    const given = method === 'tools/call' ? called?.(used) : undefined
    if (given) return given
    const result = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: used.toUpperCase() }] },
    }[method]
    const error = { code: -32601, message: 'no such method' }
    return Response.json({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })
  }

  const component = toComponent({ tools }, 'remote')
  async function call(user: string, caller: string, more: Record<string, string> = {}) {
    const headers = {
      'content-type': 'application/json',
      'spin-client-addr': '0.0.0.0:0',
      'ftl-principal': user,
      'ftl-caller-token': caller,
      ...more,
    }
    const request = new Request('http://remote.spin.internal/whoami', {
      method: 'POST',
      headers,
      body: '{}',
    })
    const response = await component.fetch(request, platform)
    return (await response.json()) as Answer
  }
  return { call, requests }
}

const tokenAnswer = (access_token: string, more: object = {}) =>
  Response.json({
    access_token,
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    expires_in: 300,
    ...more,
  })

const textOf = ({ content }: Answer) => content?.[0]?.text ?? ''
/** Calls of the tool that reached the server. */
const callsIn = (requests: { body: string }[]) =>
  requests.filter(({ body }) => body.includes('"tools/call"'))
const sentTo = (requests: { address: string; authorization: string }[], address: string) =>
  requests.filter((each) => each.address === address).map((each) => each.authorization)

/** Two users whose tokens are kept at the same place. */
async function neighbors(): Promise<[string, string]> {
  const seen = new Map<string, string>()
  for (let number = 0; ; number++) {
    const user = `user-${number}`
    const place = (await sha256(user)).slice(0, 3)
    const other = seen.get(place)
    if (other !== undefined) return [other, user]
    seen.set(place, user)
  }
}

describe('the token of the caller', () => {
  it('is not sent to the server if the authorization server gives it back as it is', async () => {
    const { call, requests } = start({ token: (form) => tokenAnswer(form.get('subject_token')!) })
    const answer = await call('ann', CALLER)
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toContain('not exchanged')
    expect(sentTo(requests, SERVER).join()).not.toContain(CALLER)
  })

  it('of one user is never used for another one, also where both are kept at one place', async () => {
    const { call, requests } = start()
    const [one, other] = await neighbors()
    const [first, second] = [
      textOf(await call(one, 'token-of-one')),
      textOf(await call(other, 'token-of-two')),
    ]
    expect(first).not.toBe(second)
    for (let turn = 0; turn < 2; turn++) {
      expect(textOf(await call(one, 'token-of-one'))).toBe(first)
      expect(textOf(await call(other, 'token-of-two'))).toBe(second)
    }
    // A user with the token of another one gets what that token permits, and nothing that was kept.
    expect(textOf(await call(one, 'token-of-two'))).toBe(second)
    expect(sentTo(requests, SERVER)).not.toContain('Bearer ')
  })

  it('of two users who call at once reaches the request of its own user', async () => {
    const { call } = start({
      token: async (form) => {
        // The first to ask is the last to be answered.
        const user = form.get('subject_token') ?? ''
        for (let turn = 0; turn < (user.endsWith('0') ? 50 : 1); turn++) await Promise.resolve()
        return tokenAnswer(`for-${user}`)
      },
    })
    const users = Array.from({ length: 12 }, (_, number) => `user-${number % 4}-${number}`)
    const answers = await Promise.all(users.map((user) => call(user, `token-of-${user}`)))
    expect(answers.map(textOf)).toEqual(users.map((user) => `FOR-TOKEN-OF-${user.toUpperCase()}`))
  })

  it('and the secret of the client are in no refusal, however the server writes JSON', async () => {
    const written: ((text: string) => string)[] = [
      (text) => text,
      // As PHP, Go and .NET do.
      (text) => text.replaceAll('/', '\\/'),
      (text) => text.replaceAll('&', '\\u0026').replaceAll('+', '\\u002B'),
      (text) => text.replaceAll(/[a-z]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
    ]
    for (const write of written) {
      const words = write(`no ${CALLER} for ${SECRET}`)
      const body = `{"error":"invalid_grant","error_description":"${words}"}`
      const { call } = start({
        token: () =>
          new Response(body, { status: 400, headers: { 'content-type': 'application/json' } }),
      })
      const answer = await call('ann', CALLER)
      expect(textOf(answer)).toContain('no [redacted] for [redacted]')
      expect(JSON.stringify(answer)).not.toMatch(/of\+ann|of\+ftl/)
    }
  })

  it.each([
    [
      'an error in an answer with status 200',
      () => Response.json({ error: 'x', error_description: CALLER }),
    ],
    [
      'a challenge',
      () =>
        new Response(CALLER, {
          status: 401,
          headers: { 'www-authenticate': `Bearer realm="${CALLER}"` },
        }),
    ],
    ['a page', () => new Response(`<p>${CALLER}`, { headers: { 'content-type': 'text/html' } })],
    ['a token with the line of another header', () => tokenAnswer(`x\r\nx-other: ${CALLER}`)],
    ['a token with other characters', () => tokenAnswer(`ü ${CALLER}`)],
    ['no token', () => Response.json({ token_type: CALLER })],
    ['a token of another kind', () => tokenAnswer('an-id-token', { issued_token_type: CALLER })],
    ['a token that needs a proof', () => tokenAnswer('x', { token_type: 'DPoP' })],
  ])('is not shown and not sent on when the authorization server answers %s', async (_, token) => {
    const { call, requests } = start({ token })
    const answer = await call('ann', CALLER)
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toMatch(/^The token of the caller was not exchanged for "tracker"/)
    expect(JSON.stringify(answer)).not.toContain(CALLER)
    expect(callsIn(requests)).toEqual([])
  })
})

describe('the token endpoint', () => {
  it.each([301, 302, 303, 307, 308])(
    'that redirects with status %d is not followed',
    async (status) => {
      const location = 'https://other.example/token'
      const { call, requests } = start({
        token: (_, address) =>
          address === `${ISSUER}/token`
            ? new Response(null, { status, headers: { location } })
            : tokenAnswer('from-elsewhere'),
      })
      expect(textOf(await call('ann', CALLER))).toMatch(/redirect/)
      expect(requests.map(({ address }) => address)).not.toContain(location)
    },
  )

  it('that answers without end is given up', async () => {
    let sent = 0
    const { call, requests } = start({
      token: () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent += 65_536
              controller.enqueue(new TextEncoder().encode(' '.repeat(65_536)))
            },
          }),
          { headers: { 'content-type': 'application/json' } },
        ),
    })
    expect(textOf(await call('ann', CALLER))).toMatch(/sent more than 256 KiB/)
    expect(sent).toBeLessThan(1024 * 1024)
    expect(callsIn(requests)).toEqual([])
  })

  it('that gives a token too large for a header is refused, and nothing is kept', async () => {
    const { call, requests } = start({ token: () => tokenAnswer('x'.repeat(100_000)) })
    expect(textOf(await call('ann', CALLER))).toMatch(/too large/)
    expect(callsIn(requests)).toEqual([])
  })

  it.each([
    ['never answers', () => new Promise<Response>(() => {})],
    [
      'begins an answer and does not end it',
      () =>
        new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) }),
          {
            headers: { 'content-type': 'application/json' },
          },
        ),
    ],
  ])('that %s takes no longer than the call has', async (_, token) => {
    const { call } = start({ token })
    const answer = await call('ann', CALLER, { 'ftl-deadline': '900' })
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toMatch(/not exchanged for "tracker".*within \d+ ms/)
  })

  it('that has moved is found again by the metadata of the same issuer', async () => {
    let place = `${ISSUER}/token`
    const { call, requests } = start({
      endpoint: () => place,
      token: (form, address) =>
        address === place
          ? tokenAnswer(`for-${form.get('subject_token')}`)
          : new Response('', { status: 404 }),
    })
    expect(textOf(await call('ann', 'one'))).toBe('FOR-ONE')
    place = `${ISSUER}/v2/token`
    expect(textOf(await call('ann', 'two'))).toBe('FOR-TWO')
    // What the authorization server refuses is not asked again elsewhere.
    const before = requests.length
    place = `${ISSUER}/v3/token`
    expect(textOf(await call('ann', 'two'))).toBe('FOR-TWO')
    expect(requests.slice(before).map(({ address }) => address)).toEqual([SERVER])
  })

  it('of another issuer or deeper in the network is not asked', async () => {
    for (const place of [
      'http://login.example/token',
      'https://127.0.0.1/token',
      'https://10.0.0.7/token',
    ]) {
      const { call, requests } = start({ endpoint: () => place })
      expect(JSON.stringify(await call('ann', CALLER))).toContain('not_found')
      expect(requests.filter(({ body }) => body.includes('grant_type'))).toEqual([])
      expect(callsIn(requests)).toEqual([])
    }
  })
})

describe('a server', () => {
  it('with a header that is not an account has its lists requested with the token of the client', async () => {
    const { call, requests } = start({ headers: { 'x-toolsets': 'issues' } })
    expect(await call('ann', CALLER)).not.toHaveProperty('isError')
    expect(requests.filter(({ body }) => body.includes('client_credentials'))).toHaveLength(1)
  })

  it('with a secret in its address does not have it sent to the authorization server', async () => {
    const url = `${SERVER}?key=0123456789abcdef`
    const { call, requests } = start({ url })
    expect(await call('ann', CALLER)).not.toHaveProperty('isError')
    const forms = requests.filter(({ body }) => body.includes('grant_type'))
    expect(forms.length).toBeGreaterThan(0)
    expect(JSON.stringify(forms)).not.toContain('0123456789abcdef')
  })

  it('that refuses every token costs one more exchange for a call', async () => {
    const { call, requests } = start({ called: () => new Response('', { status: 401 }) })
    for (let calls = 1; calls <= 3; calls++) {
      const before = requests.length
      expect(await call('ann', CALLER)).toMatchObject({ isError: true })
      const exchanges = requests.slice(before).filter(({ body }) => body.includes('subject_token'))
      expect(exchanges.length).toBeLessThanOrEqual(2)
    }
  })

  it.each([302, 307, 308])(
    'that sends a call elsewhere with status %d gets no token there',
    async (status) => {
      const location = 'https://other.example/mcp'
      const { call, requests } = start({
        called: () => new Response(null, { status, headers: { location } }),
      })
      expect(await call('ann', CALLER)).toMatchObject({ isError: true })
      expect(requests.map(({ address }) => address)).not.toContain(location)
    },
  )

  it('that names an authorization server of its own is not listened to', async () => {
    const { call, requests } = start({
      called: () =>
        new Response('', {
          status: 401,
          headers: {
            'www-authenticate':
              'Bearer resource_metadata="https://mcp.example/.well-known/x", scope="all"',
          },
        }),
    })
    await call('ann', CALLER)
    const hosts = new Set(requests.map(({ address }) => new URL(address).host))
    expect([...hosts].sort()).toEqual(['login.example', 'mcp.example'])
    expect(JSON.stringify(requests)).not.toContain('scope')
  })

  it.each([
    ['as it is', (token: string) => token],
    ['in quotes', (token: string) => `"authorization":"Bearer ${token}"`],
    ['in an address', (token: string) => `?token=${encodeURIComponent(token)}`],
  ])('that repeats its token %s does not show it', async (_, write) => {
    const { call } = start({
      token: () => tokenAnswer('servers.token/of+ann=='),
      called: (token) =>
        Response.json({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32000, message: write(token) },
        }),
    })
    const text = JSON.stringify(await call('ann', CALLER))
    expect(text).toContain('[redacted]')
    expect(text).not.toMatch(/servers.token/)
  })
})
