// The token of the caller is exchanged for one of the server, on a host that the test controls.
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { describe, expect, it } from 'vitest'
import { tools } from '../main.ts'
import { parseServers } from '../servers.ts'
import { answerWhoami } from './testing/whoami-server.ts'

const SERVER = 'https://mcp.example/mcp'
const ISSUER = 'https://login.example'
const AUTH = {
  type: 'exchange',
  issuer: ISSUER,
  clientId: 'ftl',
  clientSecret: 'the-secret-of-ftl',
}
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

interface Answer {
  content?: { text: string }[]
  isError?: boolean
}

interface Settings {
  auth?: object
  /** Tokens that the server refuses. */
  refused?: Set<string>
  /** Answers an exchange. @default a token for the one that it gets */
  token?: (form: URLSearchParams) => Response | undefined
}

function start({ auth = {}, refused = new Set(), token }: Settings = {}) {
  // The client for authorization servers uses the clock of the machine.
  let now = Date.now()
  const forms: URLSearchParams[] = []
  /** Tokens with which the list of tools was requested. */
  const listedWith: string[] = []
  const stored: string[] = []
  const platform = memoryPlatform({
    now: () => now,
    variables: {
      remote_servers: JSON.stringify({ tracker: { url: SERVER, auth: { ...AUTH, ...auth } } }),
      remote_key: 'a-key-for-tests-of-32-characters!',
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const body = await request.text()
      if (request.url === SERVER) return serve(body, request.headers.get('authorization') ?? '')
      if (pathname === '/.well-known/oauth-authorization-server') {
        return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` })
      }
      if (pathname !== '/token') return new Response('', { status: 404 })
      const form = new URLSearchParams(body)
      forms.push(form)
      const subject = form.get('subject_token') ?? 'ftl-itself'
      const access_token = `for-${subject}-${forms.length}`
      const issued_token_type = ACCESS_TOKEN
      return (
        token?.(form) ??
        Response.json({ access_token, issued_token_type, token_type: 'Bearer', expires_in: 300 })
      )
    },
  })
  const open = platform.openKeyValue.bind(platform)
  platform.openKeyValue = async (label) => {
    const store = await open(label)
    const set = store.set.bind(store)
    store.set = async (key, value) => {
      const text = typeof value === 'string' ? value : new TextDecoder().decode(value)
      stored.push(`${key} ${text}`)
      return set(key, value)
    }
    return store
  }

  function serve(body: string, authorization: string): Response {
    const used = authorization.slice('Bearer '.length)
    if (used === '' || refused.has(used)) return new Response('', { status: 401 })
    if (body.includes('"tools/list"')) listedWith.push(used)
    return answerWhoami(body, used)
  }

  const component = toComponent({ tools }, 'remote')
  async function send(
    path: string,
    headers: Record<string, string>,
    method = 'POST',
  ): Promise<unknown> {
    const response = await component.fetch(
      new Request(`http://remote.spin.internal${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(method === 'POST' && { body: '{}' }),
      }),
      platform,
    )
    await platform.settled()
    return response.json()
  }
  const call = async (user?: string, token?: string, sender = '0.0.0.0:0') =>
    (await send('/whoami', {
      'spin-client-addr': sender,
      'spin-matched-route': '/...',
      ...(user !== undefined && { 'ftl-principal': user }),
      ...(token !== undefined && { 'ftl-caller-token': token }),
    })) as Answer
  const list = async () => {
    const offer = await send('/', { 'spin-client-addr': '0.0.0.0:0' }, 'GET')
    return offer as { tools: { name: string }[]; problems?: string[] }
  }
  const exchanges = () => forms.filter((form) => form.get('grant_type') === GRANT)
  return { call, list, forms, exchanges, listedWith, stored, pass: (ms: number) => (now += ms) }
}

const textOf = ({ content }: Answer) => content?.[0]?.text

describe('the token of a caller', () => {
  it('is exchanged for one of the server, which each user has for himself', async () => {
    const { call, exchanges } = start()
    expect(textOf(await call('ann', 'ann-1'))).toMatch(/^FOR-ANN-1-/)
    expect(textOf(await call('bob', 'bob-1'))).toMatch(/^FOR-BOB-1-/)
    expect(textOf(await call('ann', 'ann-1'))).toMatch(/^FOR-ANN-1-/)
    expect(exchanges().map((form) => Object.fromEntries(form))).toEqual(
      ['ann-1', 'bob-1'].map((subject_token) => ({
        grant_type: GRANT,
        subject_token,
        subject_token_type: ACCESS_TOKEN,
        requested_token_type: ACCESS_TOKEN,
        resource: SERVER,
      })),
    )
  })

  it('is exchanged for an audience and scopes that the operator names', async () => {
    const { call, exchanges } = start({ auth: { audience: 'tracker-api', scope: 'read write' } })
    await call('ann', 'ann-1')
    const form = Object.fromEntries(exchanges()[0] ?? [])
    expect(form).toMatchObject({ audience: 'tracker-api', scope: 'read write' })
    expect(form).not.toHaveProperty('resource')
  })

  it('is exchanged again when it is another one of the same user, or the old one ends', async () => {
    const { call, exchanges, pass } = start()
    await call('ann', 'ann-1')
    await call('ann', 'ann-2')
    expect(exchanges()).toHaveLength(2)
    pass(200_000)
    await call('ann', 'ann-2')
    expect(exchanges()).toHaveLength(2)
    pass(120_000)
    expect(textOf(await call('ann', 'ann-2'))).toMatch(/^FOR-ANN-2-/)
    expect(exchanges()).toHaveLength(3)
  })

  it('is exchanged once more when the server refuses the new one, and no more than that', async () => {
    const refused = new Set<string>()
    const { call, list, exchanges } = start({ refused })
    await list()
    refused.add('for-ann-1-2')
    expect(textOf(await call('ann', 'ann-1'))).toBe('FOR-ANN-1-3')
    for (let more = 4; more < 9; more++) refused.add(`for-ann-2-${more}`)
    expect(await call('ann', 'ann-2')).toMatchObject({ isError: true })
    expect(exchanges()).toHaveLength(4)
  })

  it('is neither stored nor in what the component answers, and neither is the new one', async () => {
    const { call, stored } = start()
    const shown = [JSON.stringify(await call('ann', 'ann-1')), ...stored].join('\n')
    expect(stored.length).toBeGreaterThan(2)
    for (const secret of ['ann-1', AUTH.clientSecret]) expect(shown).not.toContain(secret)
  })

  it.each([
    ['there is no token', 'ann', undefined, '0.0.0.0:0'],
    ['there is no user', undefined, 'ann-1', '0.0.0.0:0'],
  ])('is asked for if %s', async (_, user, token, sender) => {
    const { call, exchanges } = start()
    const answer = await call(user, token, sender)
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toContain('caller_token_components')
    expect(exchanges()).toEqual([])
  })

  it('is not exchanged if a client has written it into its request', async () => {
    const { call, exchanges } = start()
    await expect(call('ann', 'ann-1', '203.0.113.7:4711')).rejects.toThrow('not valid JSON')
    expect(exchanges()).toEqual([])
  })

  it('that the authorization server refuses fails the call with its words, without a secret', async () => {
    const { call } = start({
      token: (form) =>
        form.get('grant_type') === GRANT
          ? Response.json(
              {
                error: 'invalid_grant',
                error_description: `no ${form.get('subject_token')} for ${AUTH.clientSecret}`,
              },
              { status: 400 },
            )
          : undefined,
    })
    const answer = await call('ann', 'ann-of-the-caller')
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toMatch(/not exchanged for "tracker".*invalid_grant/)
    expect(textOf(answer)).not.toMatch(/ann-of-the-caller|the-secret-of-ftl/)
  })

  it('that was exchanged for something else than an access token is not used', async () => {
    const { call } = start({
      token: (form) =>
        form.get('grant_type') === GRANT
          ? Response.json({
              access_token: 'an-id-token',
              issued_token_type: 'urn:ietf:params:oauth:token-type:id_token',
              token_type: 'Bearer',
            })
          : undefined,
    })
    expect(await call('ann', 'ann-1')).toMatchObject({ isError: true })
  })
})

it('the lists of such a server are requested with a token of the client itself', async () => {
  const { list, forms } = start()
  expect((await list()).tools.map(({ name }) => name)).toEqual(['whoami'])
  expect(forms.map((form) => form.get('grant_type'))).toEqual(['client_credentials'])
})

it('a list that is too old is not requested with the token of the user who calls next', async () => {
  const { call, list, listedWith, pass } = start()
  await list()
  pass(120_000)
  expect(textOf(await call('ann', 'ann-1'))).toMatch(/^FOR-ANN-1-/)
  await list()
  expect(listedWith).toEqual([
    expect.stringMatching(/^for-ftl-itself-/),
    expect.stringMatching(/^for-ftl-itself-/),
  ])
})

it('a client that gets no token of its own is reported', async () => {
  const refuse = () => Response.json({ error: 'unauthorized_client' }, { status: 400 })
  const { problems } = await start({ token: refuse }).list()
  expect(problems?.join()).toMatch(/"tracker": .*without headers.*unauthorized_client/)
})

it.each([
  [{ clientSecret: undefined }, 'auth.clientSecret'],
  [{ issuer: undefined }, 'auth.issuer'],
  [{ issuer: 'http://login.example' }, 'auth.issuer'],
  [{ scope: 7 }, 'auth.scope'],
  [{ secret: 'x' }, 'auth has a field'],
])('settings with %j are refused', (wrong, problem) => {
  const text = JSON.stringify({ tracker: { url: SERVER, auth: { ...AUTH, ...wrong } } })
  const { servers, problems } = parseServers(text)
  expect(servers).toEqual([])
  expect(problems.join()).toContain(problem)
})
