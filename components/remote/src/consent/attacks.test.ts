// A server, its authorization servers and other users around the stored consent of one user, on a host that the test controls.
import { describe, expect, it } from 'vitest'
import { ISSUER, SERVER, startWorld } from './testing/world.ts'

type Json = Record<string, unknown>
type World = ReturnType<typeof startWorld>

const configured = (more: Json) => ({
  remote_servers: JSON.stringify({ tracker: { url: SERVER, auth: 'consent', ...more } }),
})
const offerOf = async ({ internal }: World, user?: string) =>
  (await (await internal(user, '/')).json()) as { instructions?: string; tools: { name: string }[] }
const textOf = ({ content }: { content: { text: string }[] }) => content[0]?.text ?? ''

describe('what a server says of itself to one user', () => {
  const personal = (method: string, token: string): Json | undefined =>
    method === 'initialize'
      ? {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          instructions: `You work for ${token.toUpperCase()}.`,
        }
      : undefined

  it('is no instruction for other users', async () => {
    const world = startWorld({ variables: configured({ instructions: true }), results: personal })
    await world.signIn('ann')
    await world.call('ann', 'whoami')
    const offer = await offerOf(world, 'bob')
    expect(offer.tools.map(({ name }) => name)).toContain('whoami')
    expect(offer).not.toHaveProperty('instructions')
  })

  it('is one for all where the operator has an account for the lists, or has written it', async () => {
    const headers = { authorization: 'Bearer of-the-operator' }
    const shared = startWorld({
      variables: configured({ instructions: true, headers }),
      results: personal,
    })
    await shared.signIn('ann')
    await shared.call('ann', 'whoami')
    expect((await offerOf(shared)).instructions).toContain('> You work for OF-THE-OPERATOR.')
    const written = startWorld({ variables: configured({ instructions: 'Be brief.' }) })
    expect((await offerOf(written)).instructions).toContain('> Be brief.')
  })
})

/** Signed in, with a token that has to be renewed. */
async function renewing(settings: Parameters<typeof startWorld>[0] = {}) {
  let passed = 0
  const world = startWorld({
    ...settings,
    now: () => Date.now() + passed,
    tokens: { refresh_token: 'refresh-of-ann', expires_in: 60, ...settings.tokens },
  })
  await world.signIn('ann')
  expect(textOf(await world.call('ann', 'whoami'))).toMatch(/^called with/)
  world.requests.length = 0
  passed = 40_000
  return { ...world, pass: (ms: number) => (passed += ms) }
}

const withRefresh = (requests: World['requests']) =>
  requests.filter(({ body }) => body.includes('refresh-of-ann')).map(({ url }) => url)

describe('a server that names another authorization server', () => {
  const OTHER = 'https://other.example'

  it('does not have the tokens of the first one sent there', async () => {
    const world = await renewing()
    world.settings.resource = { authorization_servers: [OTHER] }
    await world.call('ann', 'whoami')
    expect(withRefresh(world.requests)).toEqual([`${ISSUER}/token`])
    expect(world.requests.map(({ url }) => new URL(url).origin)).not.toContain(OTHER)
    // A new sign-in is one at the other, which gets nothing of before.
    world.settings.tokens = { refresh_token: 'refresh-of-other', expires_in: 3600 }
    await world.signIn('ann')
    expect(world.requests.map(({ url }) => url)).toContain(`${OTHER}/token`)
    expect(withRefresh(world.requests)).toEqual([`${ISSUER}/token`])
  })

  it('is refused where the operator has named the first one', async () => {
    const auth = { type: 'consent', issuer: ISSUER }
    const world = await renewing({ variables: configured({ auth }) })
    world.settings.resource = { authorization_servers: [OTHER] }
    await expect(world.signIn('ann')).rejects.toThrow(/does not accept tokens of/)
    expect(world.requests.map(({ url }) => new URL(url).origin)).not.toContain(OTHER)
  })
})

describe('a token endpoint', () => {
  it.each([302, 307, 308])(
    'that redirects a renewal with status %d gets it alone, and the sign-in stays',
    async (status) => {
      const location = 'https://other.example/token'
      const world = await renewing()
      world.settings.token = () => new Response(null, { status, headers: { location } })
      // The token is good for some more seconds.
      expect(textOf(await world.call('ann', 'whoami'))).toMatch(/^called with/)
      world.pass(30_000)
      const refused = textOf(await world.call('ann', 'whoami'))
      expect(refused).toMatch(/redirect/)
      expect(refused).not.toContain('refresh-of-ann')
      expect(new Set(withRefresh(world.requests))).toEqual(new Set([`${ISSUER}/token`]))
      world.settings.token = () => undefined
      expect(textOf(await world.call('ann', 'whoami'))).toMatch(/^called with/)
    },
  )

  it('that is gone for good does not lock the user out: the answer says how to sign in again', async () => {
    const world = await renewing()
    world.settings.token = () => new Response('gone', { status: 410 })
    world.pass(30_000)
    expect(textOf(await world.call('ann', 'whoami'))).toMatch(
      /cannot be renewed now.*sign_in with \{"server": "tracker"\}/s,
    )
    world.settings.token = () => undefined
    await world.signIn('ann')
    expect(textOf(await world.call('ann', 'whoami'))).toMatch(/^called with/)
  })

  it('that never answers takes no longer than the call has', async () => {
    const world = await renewing()
    world.pass(30_000)
    const fetch = world.platform.fetch.bind(world.platform)
    world.platform.fetch = (input, init) =>
      new Request(input, init).url === `${ISSUER}/token`
        ? new Promise(() => {})
        : fetch(input, init)
    const headers = {
      'content-type': 'application/json',
      'spin-client-addr': '0.0.0.0:0',
      'ftl-principal': 'ann',
      'ftl-deadline': '2500',
    }
    const request = new Request('http://remote.spin.internal/whoami', {
      method: 'POST',
      headers,
      body: '{}',
    })
    const answer = (await (await world.answer(request)).json()) as { content: { text: string }[] }
    expect(textOf(answer)).toMatch(/being renewed: try again/)
  })
})

it('a resource of a user is not for the caches of others, whatever the server says', async () => {
  const world = startWorld({
    results: (method) =>
      method === 'resources/read'
        ? { contents: [{ uri: 'note://own', text: 'mine' }], cacheScope: 'public', ttlMs: 60_000 }
        : undefined,
  })
  await world.signIn('ann')
  await world.call('ann', 'whoami')
  const address = encodeURIComponent('remote://tracker/note://own')
  const read = (await (await world.internal('ann', `/resources?uri=${address}`)).json()) as Json
  expect(read).toMatchObject({ contents: [{ text: 'mine' }], cacheScope: 'private' })
})
