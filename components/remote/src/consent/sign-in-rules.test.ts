// Each rule of a sign-in, by a request that misses only this one.
import { describe, expect, it } from 'vitest'
import { GATEWAY, ISSUER, SERVER, startWorld } from './testing/world.ts'

const text = ({ content }: { content: { text: string }[] }) =>
  content.map((each) => each.text).join('\n')

/** A sign-in of a user in a browser, up to what the authorization server sends it back to. */
async function begun(world: ReturnType<typeof startWorld>, user = 'ann') {
  const browser = world.openBrowser()
  const authorize = await browser.begin(await world.linkOf(user))
  return { browser, authorize, back: browser.answerTo(authorize) }
}

const tokenRequests = ({ requests }: ReturnType<typeof startWorld>) =>
  requests.filter(({ url }) => url === `${ISSUER}/token`).length

/** Messages that the server got: it is asked without one before a sign-in. */
const messagesTo = ({ requests }: ReturnType<typeof startWorld>) =>
  requests.filter(({ url, body }) => url === SERVER && body !== '').length

describe('the answer of the authorization server', () => {
  it('counts once', async () => {
    const world = startWorld()
    const { browser, back } = await begun(world)
    expect((await browser.request(back)).text).toContain('class="code"')
    expect((await browser.request(back)).response.status).toBe(400)
    expect(tokenRequests(world)).toBe(1)
  })

  it('does not count after a later sign-in has begun in the same browser', async () => {
    const world = startWorld()
    const { browser, back } = await begun(world)
    const later = browser.answerTo(await browser.begin(await world.linkOf('ann')))
    expect((await browser.request(back)).response.status).toBe(400)
    expect(tokenRequests(world)).toBe(0)
    expect((await browser.request(later)).response.status).toBe(200)
  })

  it('counts in the browser that began', async () => {
    const world = startWorld()
    const { browser, back } = await begun(world)
    const other = (await begun(world, 'bob')).browser
    for (const each of [other, world.openBrowser()]) {
      expect((await each.request(back)).response.status).toBe(400)
    }
    expect(tokenRequests(world)).toBe(0)
    expect((await browser.request(back)).response.status).toBe(200)
  })

  it('counts with the state of this sign-in', async () => {
    const world = startWorld()
    const { browser, back } = await begun(world)
    const ticket = new URL(await world.linkOf('ann')).searchParams.get('ticket') ?? ''
    const other = (await begun(world, 'bob')).back.searchParams.get('state') ?? ''
    const own = back.searchParams.get('state') ?? ''
    const swapped = `${own.slice(0, 30)}${own[30] === 'A' ? 'B' : 'A'}${own.slice(31)}`
    for (const state of ['', 'x', ticket, other, swapped]) {
      back.searchParams.set('state', state)
      expect((await browser.request(back)).response.status).toBe(400)
    }
    expect(tokenRequests(world)).toBe(0)
  })

  it('counts if it names the authorization server, or names none where that is not promised', async () => {
    const promised = { authorization_response_iss_parameter_supported: true }
    for (const [metadata, iss, isGood] of [
      [{}, undefined, true],
      [{}, ISSUER, true],
      [{}, 'https://evil.example', false],
      [promised, undefined, false],
      [promised, ISSUER, true],
      [promised, `${ISSUER}/`, false],
    ] as const) {
      const world = startWorld({ metadata })
      const { browser, authorize } = await begun(world)
      const back = browser.answerTo(authorize, iss === undefined ? {} : { iss })
      expect((await browser.request(back)).response.status).toBe(isGood ? 200 : 400)
      expect(tokenRequests(world)).toBe(isGood ? 1 : 0)
    }
  })

  it('does not count after ten minutes', async () => {
    let now = Date.now()
    const world = startWorld({ now: () => now })
    const { browser, back } = await begun(world)
    now += 11 * 60_000
    expect((await browser.request(back)).response.status).toBe(400)
    expect((await browser.request(await world.linkOf('ann'))).response.status).toBe(200)
  })
})

const WITHOUT: Record<string, string>[] = [
  { remote_key: '' },
  { remote_key: 'short' },
  { remote_servers: '' },
]

describe('the page of the link', () => {
  it('begins by its own form only', async () => {
    const world = startWorld()
    const link = await world.linkOf('ann')
    const ticket = new URL(link).searchParams.get('ticket') ?? ''
    const start = `${GATEWAY}/connect/start`
    const browser = world.openBrowser()
    const { text: html } = await browser.request(link)
    const digest = /name="browser" value="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(
      (await world.openBrowser().request(start, { ticket, browser: digest })).response.status,
    ).toBe(403)
    expect((await browser.request(start, { ticket, browser: 'x' })).response.status).toBe(403)
    expect((await browser.request(start, { ticket })).response.status).toBe(403)
    expect((await browser.request(start, { browser: digest })).response.status).toBe(400)
    expect((await browser.request(start, { ticket, browser: digest })).response.status).toBe(303)
  })

  it('is there for ten minutes, and for the address that the server had', async () => {
    let now = Date.now()
    const world = startWorld({ now: () => now })
    const link = await world.linkOf('ann')
    const elsewhere = { tracker: { url: `${SERVER}/v2`, auth: 'consent' } }
    const moved = startWorld({ variables: { remote_servers: JSON.stringify(elsewhere) } })
    expect((await moved.openBrowser().request(link)).response.status).toBe(400)
    expect((await world.openBrowser().request(link)).response.status).toBe(200)
    now += 11 * 60_000
    expect((await world.openBrowser().request(link)).response.status).toBe(400)
  })

  it('escapes the name of the user', async () => {
    const world = startWorld()
    const name = `https://a.example#<img src=x onerror="alert('1')">&amp;`
    const { text: html } = await world.openBrowser().request(await world.linkOf(name))
    expect(html).toContain(
      'https://a.example#&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;',
    )
    expect(html).not.toMatch(/<img/)
  })

  it.each([
    ['DELETE', 'start', 404],
    ['PUT', 'callback', 404],
    ['POST', 'callback', 404],
    ['GET', '', 404],
    ['GET', 'start/', 404],
    ['GET', 'Start', 404],
    ['GET', 'start%2f..%2fcallback', 404],
    ['GET', '/callback', 404],
    ['HEAD', 'client.json', 200],
    ['GET', 'callback', 400],
  ])('answers %s of "%s" with %d', async (method, path, status) => {
    const world = startWorld()
    const request = new Request(`${GATEWAY}/connect/${path}`, {
      method,
      headers: { 'spin-client-addr': '203.0.113.7:4711' },
    })
    const response = await world.send(request)
    expect(response.status).toBe(status)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('is not there without the variables', async () => {
    for (const variables of WITHOUT) {
      const world = startWorld({ variables })
      const { response } = await world.openBrowser().request(`${GATEWAY}/connect/client.json`)
      expect(response.status).toBe(404)
    }
  })
})

describe('the code', () => {
  const shownBy = (page: string) => /class="code">([^<]+)</.exec(page)?.[1] ?? ''

  it('is tried five times', async () => {
    const world = startWorld()
    const code = shownBy(await world.signInPage('ann'))
    const give = (user: string, given: string) =>
      world.call(user, 'sign_in', { server: 'tracker', code: given })
    expect(text(await give('bob', code))).toContain('No sign-in')
    for (let tries = 0; tries < 4; tries++) {
      expect(text(await give('ann', 'AAAA-AAAA'))).toContain('not the code')
    }
    expect(text(await give('ann', 'AAAA-AAAA'))).toContain('No sign-in')
    expect(text(await give('ann', code))).toContain('No sign-in')
    await world.call('ann', 'whoami')
    expect(messagesTo(world)).toBe(0)
  })

  it('is valid for ten minutes', async () => {
    let now = Date.now()
    const world = startWorld({ now: () => now })
    const code = shownBy(await world.signInPage('ann'))
    now += 11 * 60_000
    const late = await world.call('ann', 'sign_in', { server: 'tracker', code })
    expect(text(late)).toContain('No sign-in')
  })

  it('is needed before the account is used', async () => {
    const world = startWorld()
    await world.signInPage('ann')
    await world.call('ann', 'whoami')
    expect(messagesTo(world)).toBe(0)
  })
})

describe('metadata', () => {
  it.each([
    ['another resource', { resource: 'https://bank.example/mcp' }, {}, 'is for another server'],
    [
      'a path beside the server',
      { resource: 'https://mcp.example/mc' },
      {},
      'is for another server',
    ],
    [
      'an address without encryption',
      {},
      { token_endpoint: 'http://login.example/token' },
      'https://',
    ],
    ['this machine', {}, { token_endpoint: 'https://127.0.0.1/token' }, 'inside your machine'],
    [
      'a private network',
      {},
      { token_endpoint: 'https://[::ffff:a00:1]/t' },
      'inside your machine',
    ],
    ['the cloud', {}, { registration_endpoint: 'https://169.254.169.254/' }, 'inside your machine'],
    ['a script', {}, { authorization_endpoint: 'javascript:alert(1)' }, 'https://'],
    ['another issuer', {}, { issuer: 'https://evil.example' }, 'is that of another issuer'],
  ])('that names %s is refused', async (_, resource, metadata, words) => {
    const world = startWorld({ resource, metadata })
    await expect(begun(world)).rejects.toThrow(words)
    expect(
      world.requests.every(({ url }) =>
        [new URL(SERVER).host, new URL(ISSUER).host].includes(new URL(url).host),
      ),
    ).toBe(true)
  })
})
