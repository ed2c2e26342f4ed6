// What an upstream server sends that is odd, half, or meant to harm, and users who change what is asked for there.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { GitHub, GITHUB_VARIABLES } from '../testing/github.ts'
import { Provider, signInThrough, UPSTREAM, UPSTREAM_VARIABLES } from '../testing/provider.ts'
import { claimsOf, type Json, nextOf, returned, World } from '../testing/world.ts'

let world: World
let id: string
/** What the operator reads. */
let log: string[]

beforeEach(() => {
  log = []
  vi.spyOn(console, 'error').mockImplementation((...words) => void log.push(words.join(' ')))
})

describe('an OpenID provider', () => {
  let provider: Provider
  beforeEach(async () => {
    world = new World(UPSTREAM_VARIABLES)
    provider = new Provider(world)
    ;({ id } = await world.register())
  })
  const signIn = () => signInThrough(world, provider, id)
  const tokens = async () => {
    const code = (await returned(await signIn())).get('code') ?? ''
    return (await world.redeem(id, code)).body
  }

  it.each([
    'https://accounts.google.com/',
    'https://ACCOUNTS.google.com',
    'https://accounts.google.com:443',
  ])('that is Google in another spelling is no less public: %s', async (upstream) => {
    Object.assign(world.variables, { auth_upstream: upstream, auth_upstream_users: '*' })
    expect((await world.ask({ client_id: id })).page).toContain('must not be *')
    const { describedBy } = await import('./oidc.ts')
    const { createSettings } = await import('../settings.ts')
    const settings = createSettings(world.platform.variables)
    const visit = { upstream: settings.upstream, groupsClaim: 'groups' }
    const claims = { sub: '1', email: 'ada@example.com', email_verified: true }
    expect(describedBy(visit as never, claims).facts).toEqual(['email:ada@example.com'])
  })

  it.each<[string, Json, Json]>([
    [
      'UserInfo does not verify the address of the ID token',
      { email: 'ada@example.com', email_verified: undefined },
      { email: 'eve@evil.example', email_verified: true },
    ],
    [
      'the ID token does not verify the address of UserInfo',
      { email: undefined, email_verified: true },
      { email: 'ada@example.com', email_verified: false },
    ],
  ])('names an address and verifies another one: %s', async (_, claims, userInfo) => {
    Object.assign(provider.claims, claims)
    Object.assign(provider.userInfo, userInfo)
    expect((await signIn()).status).toBe(403)
  })

  it('may have the verified address only in UserInfo', async () => {
    provider.claims = { sub: 'u-1' }
    Object.assign(provider.userInfo, { email: 'ada@example.com', email_verified: true })
    expect((await signIn()).status).toBe(200)
  })

  it('whose name of a user is too long for the gateway signs in no user, instead of one with useless tokens', async () => {
    world.variables['auth_upstream_users'] = '*'
    const nameOf = (length: number) => 'u'.repeat(length - 'id.example/realms/main:'.length)
    const statusFor = async (sub: string) => {
      provider.claims = { sub }
      provider.userInfo = { sub }
      return (await signIn()).status
    }
    // The gateway takes a `sub` of 256 characters.
    expect(await statusFor(nameOf(257))).toBe(403)
    expect(await statusFor(nameOf(256))).toBe(200)
  })

  // Entra does this to users with more than 200 groups.
  it('that has the groups elsewhere does not make a user one without groups', async () => {
    world.variables['auth_upstream_users'] = 'sub:u-1'
    provider.userInfo = { sub: 'u-1' }
    for (const claims of [
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
      { hasgroups: true },
      { hasgroups: 'true' },
    ]) {
      provider.claims = { sub: 'u-1', ...claims }
      const response = await signIn()
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('too many groups')
    }
    // Of another claim, or beside the groups themselves, they say nothing.
    provider.claims = { sub: 'u-1', groups: ['a'], hasgroups: true, _claim_names: { x: 'src1' } }
    expect((await signIn()).status).toBe(200)
  })

  it('whose keys are broken is a page for the user and a line for the operator', async () => {
    provider.keys = [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'one', alg: 'ES256' }]
    const response = await signIn()
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('The sign-in with id.example failed')
    expect(log.join()).toContain('a sign-in at auth_upstream failed')
  })

  it('that repeats the secret in its error does not bring it into the log', async () => {
    const secret = UPSTREAM_VARIABLES.auth_upstream_client_secret
    provider.answers.set('/token', () =>
      Response.json(
        { error: 'invalid_client', error_description: `no client has the secret ${secret}` },
        { status: 400 },
      ),
    )
    const page = await (await signIn()).text()
    expect(log.join()).toContain('invalid_client: no client has the secret')
    expect(page + log.join()).not.toContain(secret)
  })

  it('that refuses a user at a new sign-in ends the earlier ones', async () => {
    world.variables['auth_upstream_users'] = 'group:staff'
    const { refresh_token: token } = await tokens()
    provider.userInfo['groups'] = ['guests']
    expect((await signIn()).status).toBe(403)
    expect((await world.refresh(id, token)).body['error']).toBe('invalid_grant')
  })

  it('gives the groups of the newest sign-in to the earlier ones, also from the page of grants', async () => {
    const { refresh_token: token } = await tokens()
    provider.userInfo['groups'] = ['guests']
    const form = /name="form" value="([^"]+)"/.exec(
      await (await world.visit('/auth/grants')).text(),
    )?.[1]
    const sent = await nextOf(await world.post('/auth/grants', { form, decision: 'upstream' }))
    const back = new URLSearchParams(provider.authorize(sent))
    await world.visit(`/auth/callback?${back.toString()}`)
    const { body } = await world.refresh(id, token)
    expect(claimsOf(body['access_token'])['groups']).toEqual(['guests'])
  })

  it.each<[string, () => Response]>([
    ['a page of HTML', () => new Response('<html>503</html>', { status: 503 })],
    [
      'HTML that says 200',
      () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }),
    ],
    ['megabytes', () => new Response('x'.repeat(2_000_000))],
    ['nothing', () => new Response(null, { status: 204 })],
    ['a list', () => Response.json([])],
  ])('that answers with %s ends the sign-in, not the server', async (_, answer) => {
    for (const path of ['/token', '/me', '/keys', '/.well-known/openid-configuration']) {
      const before = provider.requested.length
      provider.answers.clear()
      const { request } = await world.ask({ client_id: id })
      const begun = await world.post('/auth/consent', { request, decision: 'upstream' })
      const back = new URLSearchParams(provider.authorize(await nextOf(begun)))
      provider.answers.set(path, answer)
      const response = await world.visit(`/auth/callback?${back.toString()}`)
      expect(response.status, path).toBe(403)
      expect(await response.text(), path).toContain('The sign-in with id.example failed')
      const requested = provider.requested.slice(before)
      expect(requested.every((url) => url.startsWith(UPSTREAM))).toBe(true)
    }
  })
})

describe('GitHub', () => {
  let github: GitHub
  beforeEach(async () => {
    world = new World(GITHUB_VARIABLES)
    github = new GitHub(world)
    ;({ id } = await world.register())
  })
  const signIn = () => signInThrough(world, github, id)
  const groups = async () => {
    const code = (await returned(await signIn())).get('code') ?? ''
    return claimsOf((await world.redeem(id, code)).body['access_token'])['groups']
  }

  it.each<[string, () => Response]>([
    ['HTML', () => new Response('<html></html>')],
    ['half a list', () => new Response('[{"login":"Ac')],
    ['no list', () => Response.json({ message: 'x' })],
    ['a server error', () => new Response('', { status: 502 })],
    [
      'a limit with a time',
      () => Response.json({}, { status: 403, headers: { 'retry-after': '60' } }),
    ],
    [
      'a limit that only its words name',
      () =>
        Response.json({ message: 'You have exceeded a secondary rate limit.' }, { status: 403 }),
    ],
  ])('that answers with %s does not make a user one without organisations', async (_, answer) => {
    for (const path of ['/user/orgs', '/user/teams']) {
      github.answers.clear()
      github.answers.set(path, answer)
      expect((await signIn()).status, path).toBe(403)
      expect(log.join()).toContain(path)
    }
  })

  it('may send pages that are not full, and must send each', async () => {
    const page = (from: number, next: boolean) =>
      Response.json([{ login: `o${from}` }, { login: `o${from + 1}` }], {
        headers: next ? { link: '<https://api.github.com/user/orgs?page=2>; rel="next"' } : {},
      })
    const pages = [page(1, true), page(3, false)]
    github.answers.set('/user/orgs', () => pages.shift() ?? Response.json([]))
    expect(await groups()).toEqual(['o1', 'o2', 'o3', 'o4', 'Acme/admins'])
    const broken = [page(1, true), Response.json({}, { status: 404 })]
    github.answers.set('/user/orgs', () => broken.shift() ?? Response.json([]))
    expect((await signIn()).status).toBe(403)
  })

  it('does not hide organisations because the user has taken the scope out of the address', async () => {
    github.scope = ''
    const response = await signIn()
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('read:org')
    for (const scope of ['admin:org,read:user', 'user']) {
      github.scope = scope
      expect(await groups(), scope).toEqual(['Acme', 'Acme/admins'])
    }
    // The operator does not want them.
    world.variables['auth_upstream_scopes'] = 'read:user'
    github.scope = 'read:user'
    expect((await signIn()).status).toBe(200)
  })

  it('is asked for the number of the account: a login that another one has taken is another user', async () => {
    world.variables['auth_upstream_users'] = 'sub:583231'
    github.user = { id: 99, login: 'Ada' }
    expect((await signIn()).status).toBe(403)
  })
})
