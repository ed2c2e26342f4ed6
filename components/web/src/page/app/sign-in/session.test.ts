import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Grant } from './oauth.ts'

const HERE = 'https://gateway.example'
const METADATA = '/.well-known/oauth-protected-resource'
const CHALLENGE = `Bearer resource_metadata="${HERE}${METADATA}/mcp"`

let resource = `${HERE}/mcp`
/** The token that the server accepts. */
let accepted = ''
/** The scopes that it asks for beyond those of the token. */
let missing = ''
let requests: [path: string, token: string | null][] = []

const server = vi.fn(async (path: string, init: RequestInit = {}) => {
  if (path === METADATA) {
    return Response.json({ resource, authorization_servers: ['https://auth.example'] })
  }
  const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null
  requests.push([path, token])
  if (token !== accepted) return refusal(401, token === null ? '' : ', error="invalid_token"')
  if (path === '/more' && missing !== '') {
    return refusal(403, `, error="insufficient_scope", scope="${missing}"`)
  }
  return Response.json({ principal: 'https://auth.example#ada', user: 'ada' })
})

function refusal(status: number, more: string): Response {
  const headers = { 'www-authenticate': CHALLENGE + more }
  return Response.json({ error: { message: 'no' } }, { status, headers })
}

/** Each test has a page of its own. */
let page: typeof import('./session.ts')

beforeEach(async () => {
  vi.stubGlobal('fetch', server)
  vi.stubGlobal('location', { origin: HERE })
  resource = `${HERE}/mcp`
  accepted = 'one'
  missing = ''
  requests = []
  vi.resetModules()
  page = await import('./session.ts')
})
afterEach(() => vi.unstubAllGlobals())

const grant = (token: string, more: Partial<Grant> = {}): Grant => ({
  token,
  asked: ['tools'],
  revoke: async () => undefined,
  ...more,
})

describe('a request', () => {
  it('that is answered without a sign-in needs none', async () => {
    server.mockResolvedValueOnce(new Response('{}'))
    expect((await page.send('/tools', {}, true)).status).toBe(200)
    expect(page.session.get().state).toBe('open')
  })

  it('that a proxy refuses asks for nothing that the page could do', async () => {
    server.mockResolvedValueOnce(new Response('{}', { status: 401 }))
    expect((await page.send('/tools', {}, true)).status).toBe(401)
    expect(page.needsSignIn(page.session.get())).toBe(false)
  })

  it('of a user waits for the sign-in and is repeated; another returns the refusal', async () => {
    expect((await page.send('/tools', {}, false)).status).toBe(401)
    expect(page.session.get()).toMatchObject({
      state: 'required',
      issuers: ['https://auth.example'],
    })
    const sent = page.send('/invoke', { method: 'POST', body: '{}' }, true)
    expect(await page.adopt(grant('one'), 'auth.example')).toBe('')
    expect((await sent).status).toBe(200)
    expect(requests.at(-1)).toEqual(['/invoke', 'one'])
    expect(page.session.get()).toMatchObject({ state: 'signed-in', name: 'ada' })
  })

  it('that waits ends when the user stops it', async () => {
    const controller = new AbortController()
    const sent = page.send('/invoke', { signal: controller.signal }, true)
    await vi.waitFor(() => expect(page.session.get().state).toBe('required'))
    controller.abort()
    expect((await sent).status).toBe(401)
  })
})

describe('a token that has expired', () => {
  it('is renewed once for all requests that it fails', async () => {
    const renew = vi.fn(async () => grant('two'))
    await page.adopt(grant('one', { renew }), '')
    accepted = 'two'
    const answers = await Promise.all(['/a', '/b', '/c'].map((path) => page.send(path, {}, false)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(renew).toHaveBeenCalledTimes(1)
    expect(page.session.get().state).toBe('signed-in')
  })

  it('that cannot be renewed makes the page ask again, and is not sent any more', async () => {
    await page.adopt(grant('one', { renew: () => Promise.reject(new Error('no')) }), '')
    accepted = 'two'
    expect((await page.send('/a', {}, false)).status).toBe(401)
    expect(page.session.get().state).toBe('expired')
    await page.send('/a', {}, false)
    expect(requests.at(-1)).toEqual(['/a', null])
  })

  it('whose successor is refused is not renewed for ever', async () => {
    const renew = vi.fn(async (): Promise<Grant> => grant('still bad', { renew }))
    await page.adopt(grant('one', { renew }), '')
    accepted = 'never'
    expect((await page.send('/a', {}, false)).status).toBe(401)
    expect(renew.mock.calls.length).toBeLessThan(5)
  })
})

describe('a request that needs more permissions', () => {
  it('makes the page ask for all of them, together with those it had', async () => {
    await page.adopt(grant('one'), '')
    missing = 'tools admin'
    const sent = page.send('/more', {}, true)
    await vi.waitFor(() => expect(page.session.get().state).toBe('required'))
    expect(page.session.get()).toMatchObject({
      scopes: ['tools', 'admin'],
      problem: 'This needs permissions that your sign-in does not include.',
    })
    missing = ''
    await page.adopt(grant('one', { asked: ['tools', 'admin'] }), '')
    expect((await sent).status).toBe(200)
  })

  it('is refused without a question where they were asked for and not given', async () => {
    await page.adopt(grant('one', { asked: ['tools', 'admin'] }), '')
    missing = 'tools admin'
    expect((await page.send('/more', {}, true)).status).toBe(403)
    expect(page.session.get().state).toBe('signed-in')
    await page.adopt({ token: 'one' }, '')
    expect((await page.send('/more', {}, true)).status).toBe(403)
  })
})

it('a page at another address than that of the tokens leads there, and offers no sign-in', async () => {
  resource = 'https://other.example/mcp'
  await page.send('/tools', {}, false)
  expect(page.session.get()).toMatchObject({ issuers: [], elsewhere: 'https://other.example/' })
})

it('a key that the server refuses is not used', async () => {
  expect(await page.adopt({ token: 'wrong' }, '')).toBe('no')
  expect(page.isSignedIn()).toBe(false)
  await page.send('/tools', {}, false)
  expect(requests.at(-1)).toEqual(['/tools', null])
})
