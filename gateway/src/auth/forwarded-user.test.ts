import { describe, expect, it } from 'vitest'
import { KEY_ENTRY } from '../testing/authenticated.ts'
import { API_KEY } from '../testing/issuer.ts'
import { call, createWorld, post, several, text, tool } from '../testing/components.ts'

const PATHS = ['/mcp', '/mcp/x/one', '/tools', '/tools/a', '/invoke', '/jobs/x', '/jobs/x/events']
const SECRET = 'a secret of the proxy'
const TRUST = { trust_forwarded_user: 'without-secret' }
const WITH_SECRET = { trust_forwarded_user: 'true', forwarded_user_secret: SECRET }
const CHECKED = { ...TRUST, host_checks_forwarded: 'true' }
const INTERNAL = 'http://mcp-gateway.spin.internal'

function worldWith(variables: Record<string, string> = TRUST) {
  const principals: (string | null)[] = []
  const names: string[] = []
  const one = several([tool('a')])
  const world = createWorld({
    components: {
      one: (request) => {
        principals.push(request.headers.get('ftl-principal'))
        names.push(...request.headers.keys())
        return one(request)
      },
    },
    variables,
  })
  return { world, principals, names }
}

describe('where a proxy names the user', () => {
  it.each([...PATHS, '/outputs/x.png', '/openapi.json', '/nothing'])(
    'a request without a user is refused at %s, and the answer says what to set',
    async (path) => {
      const { world } = worldWith()
      const response = await world.send(new Request(`http://localhost:3000${path}`))
      expect(response.status).toBe(401)
      const body = await response.text()
      expect(body).toContain('x-forwarded-user is missing')
      expect(body).toContain('trust_forwarded_user')
      expect(world.log).toEqual([])
    },
  )

  it.each([
    ['ada, eve', 'a list'],
    ['ada,', 'a list that ends'],
    ['ada\u0001', 'a control character'],
    ['\u00e4da', 'a character that a header cannot hand on'],
    ['a'.repeat(257), 'too long'],
  ])('a request with %j is refused: %s', async (user) => {
    const { world } = worldWith()
    const response = await world.send(
      new Request('http://localhost:3000/jobs/x', { headers: { 'x-forwarded-user': user } }),
    )
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'bad_user' } })
  })

  it('a header that was sent twice is refused', async () => {
    const headers = new Headers([
      ['x-forwarded-user', 'ada'],
      ['x-forwarded-user', 'eve'],
    ])
    const { world } = worldWith()
    const response = await world.send(new Request('http://localhost:3000/jobs/x', { headers }))
    expect(response.status).toBe(400)
  })

  it('a component cannot name one where the host does not check the header', async () => {
    const { world } = worldWith()
    const headers = { 'content-type': 'application/json', 'x-forwarded-user': 'ada' }
    for (const path of PATHS) {
      const response = await world.send(new Request(INTERNAL + path, { headers }))
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('call the gateway through the proxy')
    }
    expect(world.log).toEqual([])
  })

  it('a component passes on its user where the host checks the header', async () => {
    const { world, principals } = worldWith(CHECKED)
    const asked = post(call('a', {}), { 'x-forwarded-user': 'ada' })
    const response = await world.send(new Request(`${INTERNAL}/mcp`, asked))
    expect(await response.json()).toMatchObject({ result: text('a') })
    expect(principals.at(-1)).toBe('ada')
  })

  it.each([
    [401, undefined],
    [401, ''],
    [400, 'ada, eve'],
  ])('a component is answered %i for the header %j even there', async (status, user) => {
    const { world } = worldWith(CHECKED)
    const headers = new Headers(user === undefined ? [] : [['x-forwarded-user', user]])
    const response = await world.send(new Request(`${INTERNAL}/jobs/x`, { headers }))
    expect(response.status).toBe(status)
  })

  it('the host is asked only about requests of components', async () => {
    const { world } = worldWith(CHECKED)
    await world.rpc(call('a', {}), { 'x-forwarded-user': 'ada' })
    expect(world.reads).toContain('trust_forwarded_user')
    expect(world.reads).not.toContain('host_checks_forwarded')
  })

  it('components are told the user by the contract alone', async () => {
    const { world, principals, names } = worldWith()
    const answer = await world.rpc(call('a', {}), { 'x-forwarded-user': 'ada' })
    expect(answer).toMatchObject({ result: text('a') })
    expect(principals.at(-1)).toBe('ada')
    expect(names).not.toContain('x-forwarded-user')
  })

  it('health stays open, without the names of components', async () => {
    const { world } = worldWith()
    const status = async (path: string) =>
      (await world.send(new Request(`http://localhost:3000${path}`))).status
    expect(await status('/health')).toBe(200)
    expect(await status('/health/components')).toBe(401)
  })
})

describe('where the proxy has a secret', () => {
  const send = async (headers: Record<string, string>, variables = WITH_SECRET) => {
    const { world, principals } = worldWith(variables)
    const response = await world.send(post(call('a', {}), headers))
    return { status: response.status, text: await response.text(), principal: principals.at(-1) }
  }

  it('the user of a request with the secret is believed, and the secret goes no further', async () => {
    const { world, principals, names } = worldWith(WITH_SECRET)
    await world.send(
      post(call('a', {}), { 'x-forwarded-user': 'ada', 'x-forwarded-user-secret': SECRET }),
    )
    expect(principals.at(-1)).toBe('ada')
    expect(names).not.toContain('x-forwarded-user-secret')
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['wrong', 'a secret of the proxz'],
    ['cut off', SECRET.slice(0, -1)],
    ['repeated', `${SECRET}, ${SECRET}`],
    ['doubled', SECRET + SECRET],
  ])(
    'a request whose secret is %s is refused, and the answer does not contain it',
    async (_, secret) => {
      const { status, text, principal } = await send({
        'x-forwarded-user': 'ada',
        ...(secret !== undefined && { 'x-forwarded-user-secret': secret }),
      })
      expect(status).toBe(401)
      expect(text).toContain('forwarded_user_secret')
      expect(text).not.toContain(SECRET)
      expect(principal).toBeUndefined()
    },
  )

  it('a component passes on its user with the secret, and no other, where the host checks no header', async () => {
    const { world, principals } = worldWith(WITH_SECRET)
    const send = (headers: Record<string, string>) =>
      world.send(
        new Request(
          `${INTERNAL}/mcp`,
          post(call('a', {}), { 'x-forwarded-user': 'ada', ...headers }),
        ),
      )
    expect((await send({})).status).toBe(401)
    expect((await send({ 'x-forwarded-user-secret': 'another secret of it' })).status).toBe(401)
    expect(principals).toEqual([])
    const response = await send({ 'x-forwarded-user-secret': SECRET })
    expect(await response.json()).toMatchObject({ result: text('a') })
    expect(principals.at(-1)).toBe('ada')
  })

  it('nothing is served where the secret was forgotten, and the answer names the variable', async () => {
    const variables = { trust_forwarded_user: 'true', forwarded_user_secret: '' }
    for (const headers of [{}, { 'x-forwarded-user': 'ada' }] as Record<string, string>[]) {
      const { status, text } = await send(headers, variables)
      expect(status).toBe(500)
      expect(text).toContain('\\"forwarded_user_secret\\" must be set')
    }
  })

  it('the proxy decides about a request with its headers, and a token about any other', async () => {
    const variables = { ...WITH_SECRET, api_keys: JSON.stringify([KEY_ENTRY]) }
    const bearer = { authorization: `Bearer ${API_KEY}` }
    const user = { 'x-forwarded-user': 'ada' }
    const secret = { 'x-forwarded-user-secret': SECRET }
    expect(await send(bearer, variables)).toMatchObject({ status: 200, principal: 'key:ci' })
    expect(await send({ ...bearer, ...user }, variables)).toMatchObject({ status: 401 })
    expect(await send({ ...bearer, ...secret }, variables)).toMatchObject({ status: 401 })
    const both = { ...bearer, ...user, ...secret }
    expect(await send(both, variables)).toMatchObject({ status: 200, principal: 'ada' })
    expect(await send({}, variables)).toMatchObject({ status: 401 })
  })

  it('a user cannot have the name of an API key or of a token', async () => {
    for (const user of ['key:ci', 'https://issuer.example#ada']) {
      const headers = { 'x-forwarded-user': user, 'x-forwarded-user-secret': SECRET }
      expect((await send(headers)).status).toBe(400)
    }
  })
})

it('where no proxy is trusted the header means nothing', async () => {
  const { world, principals } = worldWith({})
  const response = await world.send(post(call('a', {}), { 'x-forwarded-user': 'ada, eve' }))
  expect(response.status).toBe(200)
  expect(principals.at(-1)).toBeNull()
})
