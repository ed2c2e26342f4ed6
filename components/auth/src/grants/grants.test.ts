// The page of what a user has allowed.
import { beforeEach, describe, expect, it } from 'vitest'
import { Provider, signInThrough, UPSTREAM_VARIABLES } from '../testing/provider.ts'
import { nextOf, PASS_PHRASE, userEntry, World } from '../testing/world.ts'

const USERS = JSON.stringify([userEntry('ada'), userEntry('eve')])
const formIn = (page: string) => /name="form" value="([^"]+)"/.exec(page)?.[1]

let world: World
let id: string

beforeEach(async () => {
  world = new World({ auth_users: USERS })
  ;({ id } = await world.register({ client_name: 'Client <one>' }))
})

async function enter(user = 'ada', passPhrase = PASS_PHRASE): Promise<Response> {
  const form = formIn(await (await world.visit('/auth/grants')).text())
  return world.post('/auth/grants', { form, user, pass_phrase: passPhrase, decision: 'enter' })
}

const revokeIn = (page: string) =>
  [...page.matchAll(/name="revoke" value="([^"]+)"/g)].map(([, client = '']) => client)

describe('the page', () => {
  it('shows a signed-in user the clients with name, place, days and scopes', async () => {
    await world.redeem(id, await world.code({ client_id: id, scope: 'math' }))
    world.now += 3 * 86_400_000
    const page = await (await enter()).text()
    for (const text of [
      'Client &#60;one&#62;',
      'client.example',
      'Allowed 2026-01-01, last used 2026-01-01',
      'https://gateway.example/mcp: tools, math',
    ])
      expect(page).toContain(text)
  })

  it('removes a client, whose sign-ins then end; another client and another user stay', async () => {
    const tokenOf = async (client: string, user = 'ada') => {
      const { request } = await world.ask({ client_id: client })
      const address = await nextOf(await world.consent({ request, user }))
      const code = address.searchParams.get('code') ?? ''
      return (await world.redeem(client, code)).body['refresh_token']
    }
    const { id: other } = await world.register({ client_name: 'other' })
    const tokens = [await tokenOf(id), await tokenOf(id), await tokenOf(other)]
    const ofEve = await tokenOf(id, 'eve')
    const before = await (await enter()).text()
    expect(revokeIn(before)).toHaveLength(2)
    // The one that was used last is first.
    const revoke = revokeIn(before)[1]
    const after = await world.post('/auth/grants', { form: formIn(before), revoke })
    expect(revokeIn(await after.text())).toEqual([revokeIn(before)[0]])
    const statuses = await Promise.all(
      [id, id, other].map(async (client, at) => (await world.refresh(client, tokens[at])).status),
    )
    expect(statuses).toEqual([400, 400, 200])
    expect((await world.refresh(id, ofEve)).status).toBe(200)
  })

  it('shows nothing without a sign-in, with a wrong pass phrase, or when it has ended', async () => {
    await world.redeem(id, await world.code({ client_id: id }))
    expect(await (await world.visit('/auth/grants')).text()).not.toContain('client.example')
    const wrong = await enter('ada', 'wrong')
    expect(wrong.status).toBe(401)
    expect(await wrong.text()).toContain('is wrong')
    const form = formIn(await (await enter()).text())
    expect(await (await world.visit('/auth/grants')).text()).toContain('client.example')
    const left = await world.post('/auth/grants', { form, decision: 'leave' })
    expect(await left.text()).not.toContain('client.example')
    expect(await (await world.visit('/auth/grants')).text()).not.toContain('client.example')
    await enter()
    world.now += 15 * 60_000
    expect(await (await world.visit('/auth/grants')).text()).not.toContain('client.example')
  })

  it('is closed to a cookie that was copied before the user signed out, in other browsers, too', async () => {
    await world.redeem(id, await world.code({ client_id: id }))
    const form = formIn(await (await enter()).text())
    const stolen = new Map(world.jar)
    world.now += 1_000
    await world.post('/auth/grants', { form, decision: 'leave' })
    // Nothing of this moves the time at which the user has left.
    await world.code({ client_id: id })
    const after = new Map(world.jar)
    for (const [name, value] of stolen) world.jar.set(name, value)
    expect(await (await world.visit('/auth/grants')).text()).not.toContain('client.example')
    world.jar.clear()
    for (const [name, value] of after) world.jar.set(name, value)
    expect(await (await enter()).text()).toContain('client.example')
  })

  it('refuses a user who was removed by the operator', async () => {
    await world.code({ client_id: id })
    await enter()
    world.variables['auth_users'] = JSON.stringify([userEntry('eve')])
    expect(await (await world.visit('/auth/grants')).text()).not.toContain('client.example')
  })

  it('counts attempts as the other page does', async () => {
    const form = formIn(await (await world.visit('/auth/grants')).text())
    const tooLong = 'x'.repeat(1_025)
    const fields = { form, user: 'ada', pass_phrase: tooLong, decision: 'enter' }
    const statuses: number[] = []
    for (let time = 0; time < 21; time++)
      statuses.push((await world.post('/auth/grants', fields)).status)
    expect(statuses.slice(-2)).toEqual([401, 429])
  })
})

describe('a request to remove a client', () => {
  async function ready() {
    const { body } = await world.redeem(id, await world.code({ client_id: id }))
    const page = await (await enter()).text()
    return { token: body['refresh_token'], form: formIn(page), revoke: revokeIn(page)[0] }
  }

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['without the cookie of the browser', { cookie: '' }],
  ])('%s is refused', async (_, headers) => {
    const { token, form, revoke } = await ready()
    expect((await world.post('/auth/grants', { form, revoke }, headers)).status).toBe(403)
    expect((await world.refresh(id, token)).status).toBe(200)
  })

  it('with a form that another user got removes nothing', async () => {
    const { token, revoke } = await ready()
    const jar = new Map(world.jar)
    world.jar.clear()
    const form = formIn(await (await enter('eve')).text())
    // The form of one browser with the session of another one, and a session without its browser.
    const session = [...jar].find(([name]) => name.includes('session'))
    if (!session) throw new Error('there is no session')
    world.jar.set(...session)
    const answered = await world.post('/auth/grants', { form, revoke })
    expect(await answered.text()).not.toContain('client.example')
    expect((await world.refresh(id, token)).status).toBe(200)
  })

  it('with what is not a form of this page is refused', async () => {
    const { revoke } = await ready()
    const session = [...world.jar].find(([name]) => name.includes('session'))?.[1]
    const { request } = await world.ask({ client_id: id })
    for (const form of [undefined, '', 'x', session, request])
      expect((await world.post('/auth/grants', { form, revoke })).status).toBe(403)
  })
})

it('a user of an upstream server sees what this user has allowed', async () => {
  world = new World({ auth_users: USERS, ...UPSTREAM_VARIABLES })
  const provider = new Provider(world)
  ;({ id } = await world.register({ client_name: 'of the provider' }))
  await signInThrough(world, provider, id)
  const form = formIn(await (await world.visit('/auth/grants')).text())
  const sent = await nextOf(await world.post('/auth/grants', { form, decision: 'upstream' }))
  const back = new URLSearchParams(provider.authorize(sent))
  const forward = await nextOf(await world.visit(`/auth/callback?${back.toString()}`))
  const page = await (await world.visit(forward.pathname)).text()
  expect(page).toContain('of the provider')
  expect(page).toContain('You are <strong>ada</strong>')
  // A user with a pass phrase and the same name is another one.
  world.jar.clear()
  expect(await (await enter()).text()).not.toContain('of the provider')
})
