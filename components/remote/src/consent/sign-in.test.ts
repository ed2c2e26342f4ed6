// Sign-ins at authorization servers with odd answers, and what one user's sign-in leaves for others.
import { describe, expect, it } from 'vitest'
import { ISSUER, startWorld } from './testing/world.ts'

const text = ({ content }: { content: { text: string }[] }) =>
  content.map((each) => each.text).join('\n')

describe('the accounts of two users', () => {
  it('are used by the calls of each', async () => {
    const world = startWorld()
    await world.signIn('key:ann', { code: 'a-code-of-ann' })
    await world.signIn('https://login.example#ann', { code: 'a-code-of-eve' })
    expect(text(await world.call('key:ann', 'whoami'))).toBe('called with TOKEN-OF-A-CODE-OF-ANN')
    expect(text(await world.call('https://login.example#ann', 'whoami'))).toBe(
      'called with TOKEN-OF-A-CODE-OF-EVE',
    )
    for (const other of ['https://other.example#ann', 'ann', 'KEY:ANN']) {
      expect((await world.call(other, 'whoami')).isError).toBe(true)
    }
    expect(text(await world.call(undefined, 'whoami'))).toContain('must configure authentication')
  })

  it('are not exchanged by who can write to the store', async () => {
    const world = startWorld()
    await world.signIn('ann')
    await world.signIn('bob')
    const store = await world.platform.openKeyValue('default')
    const keys = (await store.keys()).filter((key) => key.includes(':grant:'))
    expect(keys).toHaveLength(2)
    const [one = '', two = ''] = keys
    const [first, second] = [await store.get(one), await store.get(two)]
    await store.set(one, second ?? '')
    await store.set(two, first ?? '')
    for (const user of ['ann', 'bob']) {
      expect((await world.call(user, 'whoami')).isError).toBe(true)
    }
  })

  it('are not seen in the list of resources that all users get', async () => {
    const world = startWorld()
    await world.signIn('ann', { code: 'a-code-of-ann' })
    await world.signIn('bob')
    const list = await (await world.internal('bob', '/')).text()
    expect(list).toContain('whoami')
    expect(list).toContain('ui://page')
    expect(list).not.toContain('secret-of')
    const uri = encodeURIComponent('remote://tracker/note://secret-of-x')
    const read = await (await world.internal('ann', `/resources?uri=${uri}`)).text()
    expect(read).toContain('read with [redacted]')
  })

  it('have sessions of their own: another account of the user begins another one', async () => {
    const sessions = new Map<string, string>()
    const world = startWorld({
      results: (method, token, id) => {
        if (method !== 'initialize') return undefined
        sessions.set(token, `session-of-${token}`)
        const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } }
        const headers = { 'mcp-session-id': `session-of-${token}` }
        return Response.json({ jsonrpc: '2.0', id, result }, { headers })
      },
    })
    await world.signIn('ann', { code: 'first-account' })
    await world.call('ann', 'whoami')
    await world.signIn('ann', { code: 'second-account' })
    await world.call('ann', 'whoami')
    expect([...sessions.keys()]).toEqual(['token-of-first-account', 'token-of-second-account'])
  })
})

describe('a sign-in', () => {
  it('is confirmed by a code once', async () => {
    const world = startWorld()
    const code = /class="code">([^<]+)</.exec(await world.signInPage('ann'))?.[1] ?? ''
    const confirm = () => world.call('ann', 'sign_in', { server: 'tracker', code })
    expect((await confirm()).structuredContent).toMatchObject({ status: 'signed_in' })
    expect(text(await confirm())).toContain('No sign-in')
  })

  it('registers the client once, and again after a sign-in that did not come back', async () => {
    const world = startWorld()
    await world.signIn('ann')
    await world.signIn('bob')
    expect(world.registered()).toBe(1)
    // As of an authorization server that has forgotten the client, and says so on a page of its own.
    await world.openBrowser().begin(await world.linkOf('ann'))
    const again = await world.openBrowser().begin(await world.linkOf('ann'))
    expect(again.searchParams.get('client_id')).toBe('client-2')
    world.settings.register = () => new Response('', { status: 429 })
    const third = await world.openBrowser().begin(await world.linkOf('ann'))
    expect(third.searchParams.get('client_id')).toBe('client-2')
  })

  it('goes to the authorization server that it began with, when the server names another one', async () => {
    const world = startWorld()
    const browser = world.openBrowser()
    const back = browser.answerTo(await browser.begin(await world.linkOf('ann')))
    world.settings.metadata = { token_endpoint: 'https://evil.example/token' }
    await browser.request(back)
    expect(
      world.requests.filter(({ body }) => body.includes('code-1')).map(({ url }) => url),
    ).toEqual([`${ISSUER}/token`])
  })

  it.each([
    ['token_endpoint_auth_methods_supported', 7],
    ['token_endpoint_auth_methods_supported', {}],
    ['token_endpoint_auth_methods_supported', [null, 1, 'none', 'x'.repeat(200_000)]],
    ['scopes_supported', 'offline_access'],
    ['scopes_supported', { length: 1 }],
    ['scopes_supported', Array.from({ length: 20_000 }, () => 'a')],
  ])('works where the metadata has an odd %s', async (name, value) => {
    const world = startWorld({ metadata: { [name]: value } })
    expect((await world.signIn('ann')).structuredContent).toMatchObject({ status: 'signed_in' })
    expect(text(await world.call('ann', 'whoami'))).toContain('called with')
  })

  it.each([7, {}, 'S256', null])('without PKCE is refused: %j', async (methods) => {
    const world = startWorld({ metadata: { code_challenge_methods_supported: methods } })
    await expect(world.signIn('ann')).rejects.toThrow('does not offer a sign-in with PKCE')
  })

  it.each([undefined, 0, 3600, '3600'])('works with expires_in: %j', async (seconds) => {
    const world = startWorld({ tokens: { expires_in: seconds } })
    await world.signIn('ann')
    for (let calls = 0; calls < 2; calls++) {
      expect(text(await world.call('ann', 'whoami'))).toContain('called with')
    }
  })

  it('gets tokens that fit into a header', async () => {
    const world = startWorld({ tokens: { access_token: 'x'.repeat(100_000) } })
    expect(await world.signInPage('ann')).toContain('too large for a header')
  })

  it('shows no secret that the authorization server repeats', async () => {
    const world = startWorld({
      token: (form) =>
        Response.json(
          {
            error: 'invalid_grant',
            error_description: `no ${form.get('code')} with ${form.get('code_verifier')}`,
          },
          { status: 400 },
        ),
    })
    const page = await world.signInPage('ann', { code: 'a-code-of-ann' })
    expect(page).toContain('no [redacted] with [redacted] (invalid_grant)')
  })

  it.each([{}, { refresh_token: 'a-refresh-token' }])(
    'is not lost when the server refuses its tokens for a while: %j',
    async (tokens) => {
      const world = startWorld({ tokens })
      await world.signIn('ann')
      world.settings.results = () => new Response('', { status: 401 })
      expect(text(await world.call('ann', 'whoami'))).toContain('/connect/start?ticket=')
      delete world.settings.results
      expect(text(await world.call('ann', 'whoami'))).toContain('called with')
    },
  )

  it('is not used after the operator has changed the key', async () => {
    const world = startWorld()
    await world.signIn('ann')
    const store = await world.platform.openKeyValue('default')
    const other = startWorld({ variables: { remote_key: 'another-key-of-at-least-32-characters' } })
    const next = await other.platform.openKeyValue('default')
    for (const key of await store.keys()) await next.set(key, (await store.get(key)) ?? '')
    expect(text(await other.call('ann', 'whoami'))).toContain('/connect/start?ticket=')
    expect((await other.signIn('ann')).structuredContent).toMatchObject({ status: 'signed_in' })
  })
})
