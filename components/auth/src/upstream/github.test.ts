// Users of GitHub sign in. GitHub itself is not asked: a stand-in answers as its documentation says.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { GitHub, GITHUB_VARIABLES } from '../testing/github.ts'
import { signInThrough } from '../testing/provider.ts'
import { claimsOf, ISSUER, nextOf, returned, World } from '../testing/world.ts'

let world: World
let github: GitHub
let id: string
let log: string[]

beforeEach(async () => {
  log = []
  vi.spyOn(console, 'error').mockImplementation((...words) => void log.push(words.join(' ')))
  world = new World(GITHUB_VARIABLES)
  github = new GitHub(world)
  ;({ id } = await world.register())
})

const signIn = () => signInThrough(world, github, id)

async function claims() {
  const code = (await returned(await signIn())).get('code') ?? ''
  return claimsOf((await world.redeem(id, code)).body['access_token'])
}

it('a user signs in: the number is the subject, and organisations and teams are groups', async () => {
  expect(await claims()).toMatchObject({
    iss: ISSUER,
    sub: 'github.com:583231',
    preferred_username: 'Ada',
    groups: ['Acme', 'Acme/admins'],
  })
})

it('the browser is sent there with what is needed to see organisations, and no more', async () => {
  const { request } = await world.ask({ client_id: id })
  const address = await nextOf(await world.post('/auth/consent', { request, decision: 'upstream' }))
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: 'Iv1.gateway',
    redirect_uri: `${ISSUER}/auth/callback`,
    scope: 'read:org',
    code_challenge_method: 'S256',
    allow_signup: 'false',
  })
})

it('an enterprise server has the API below its own address', async () => {
  world.variables['auth_upstream'] = 'github:https://ghe.example'
  github = new GitHub(world, 'https://ghe.example')
  expect((await claims())['sub']).toBe('ghe.example:583231')
  expect(github.requested).toContain('https://ghe.example/api/v3/user')
})

describe('who may sign in', () => {
  it.each(['login:ADA', 'org:acme', 'team:ACME/Admins', 'sub:583231', 'login:eve, org:acme'])(
    'is who %s names',
    async (entries) => {
      world.variables['auth_upstream_users'] = entries
      expect((await claims())['sub']).toBe('github.com:583231')
    },
  )

  it.each(['login:ad', 'org:acme2', 'team:acme/admin', 'sub:58323', 'login:583231', 'org:ada'])(
    'is not who %s does not name',
    async (entries) => {
      world.variables['auth_upstream_users'] = entries
      const response = await signIn()
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('auth_upstream_users')
    },
  )

  it.each(['email:ada@example.com', 'domain:example.com', 'group:Acme', '*', ''])(
    'cannot be said with %j',
    async (entries) => {
      world.variables['auth_upstream_users'] = entries
      const { response, page } = await world.ask({ client_id: id })
      expect(response.status).toBe(500)
      expect(page).toContain('auth_upstream_users')
    },
  )
})

describe('organisations', () => {
  it('that the user or an organisation does not show are left out', async () => {
    for (const path of ['/user/orgs', '/user/teams'])
      github.answers.set(path, () => Response.json({ message: 'x' }, { status: 403 }))
    expect(await claims()).not.toHaveProperty('groups')
  })

  it('that were not sent because of a limit are not none', async () => {
    github.answers.set('/user/orgs', () =>
      Response.json({}, { status: 403, headers: { 'x-ratelimit-remaining': '0' } }),
    )
    expect((await signIn()).status).toBe(403)
    expect(log.join()).toContain('/user/orgs')
  })

  it('are read from several pages; more than a token can have are refused', async () => {
    const orgs = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ login: `o${index}`, id: index }))
    github.orgs = orgs(150)
    expect((await claims())['groups']).toHaveLength(151)
    github.orgs = orgs(1_000)
    const refused = await signIn()
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('too many groups')
  })
})

describe('a sign-in ends without a code', () => {
  it.each([
    ['a user without a number', { login: 'ada' }],
    ['a user with a number as text', { id: '583231', login: 'ada' }],
    ['a user without a login', { id: 583231 }],
    ['a list', []],
  ])('with %s', async (_, user) => {
    github.answers.set('/user', () => Response.json(user))
    expect((await signIn()).status).toBe(403)
  })

  it('with a wrong secret, which GitHub reports with the status 200', async () => {
    world.variables['auth_upstream_client_secret'] = 'wrong'
    const response = await signIn()
    expect(response.status).toBe(403)
    expect(log.join()).toContain('incorrect_client_credentials')
    expect(log.join()).not.toContain('wrong')
  })

  it('with a code of another sign-in', async () => {
    const begin = async () => {
      const { request } = await world.ask({ client_id: id })
      const sent = await world.post('/auth/consent', { request, decision: 'upstream' })
      return github.authorize(await nextOf(sent))
    }
    const victim = await begin()
    world.jar.clear()
    const { state = '' } = await begin()
    const query = new URLSearchParams({ state, code: victim['code'] ?? '' })
    const response = await world.visit(`/auth/callback?${query.toString()}`)
    expect(response.status).toBe(403)
    expect(log.join()).toContain('bad_verification_code')
  })

  it('with the issuer of another server; that of GitHub is accepted', async () => {
    const changed = (iss: string) => signInThrough(world, github, id, { changes: { iss } })
    expect((await changed('https://id.example')).status).toBe(403)
    expect((await changed('https://github.com/login/oauth')).status).toBe(200)
  })
})
