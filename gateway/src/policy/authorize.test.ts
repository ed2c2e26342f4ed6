import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld, several, tool } from '../testing/components.ts'
import { guardedWorld } from '../testing/guarded.ts'
import { API_KEY, AUDIENCE, ISSUER, tokenWith } from '../testing/issuer.ts'
import { modern } from '../testing/modern.ts'
import { posting } from '../testing/rest.ts'
import type { Rule } from './policy.ts'

const ORIGIN = 'http://localhost:3000'

const rpc = (method: string, params: object) => posting({ jsonrpc: '2.0', id: 7, method, params })

describe('without a policy', () => {
  it.each(['/mcp', '/tools', '/openapi.json', '/health/components', '/whoami', '/jobs/x', '/x'])(
    'an authenticated caller gets 403 at %s, which says what to set',
    async (path) => {
      const world = authenticatedWorld({ ...BOTH, policy: '' })
      for (const token of [tokenWith(), API_KEY]) {
        const response = await world.get(path, token, path === '/mcp' ? rpc('tools/list', {}) : {})
        expect(response.status).toBe(403)
        expect(response.headers.has('www-authenticate')).toBe(false)
        expect(await response.text()).toMatch(/No policy: .* variable policy .* signed-in/)
      }
      expect(world.log).toEqual([])
      expect((await world.get(path)).status).toBe(401)
    },
  )

  it('a gateway that authenticates no one works, and reads none to answer a call', async () => {
    const world = createWorld({
      components: { one: several([tool('a')]) },
      variables: { trust_forwarded_user: 'false; policy=', policy: '' },
    })
    expect((await world.send(new Request(`${ORIGIN}/tools`))).status).toBe(200)
    world.reads.length = 0
    expect((await world.send(new Request(`${ORIGIN}/tools/a`, posting({})))).status).toBe(200)
    expect(world.reads).toContain('auth_issuers')
    expect(world.reads).not.toContain('policy')
    expect(world.reads).not.toContain('auth_groups_claim')
  })

  it.each(['signed-in', '{"rules":[]}', '{"rules":[{"effect":"allow"}]}'])(
    'is not meant: the policy %s where no one is authenticated is refused',
    async (policy) => {
      const world = createWorld({
        components: { one: several([tool('a')]) },
        variables: { policy },
      })
      for (const [path, init] of [['/tools'], ['/tools/a', posting({})]] as const) {
        const response = await world.send(new Request(ORIGIN + path, init))
        expect(response.status).toBe(500)
        expect(await response.text()).toMatch(/policy.* needs authentication.* api_keys/)
      }
      expect(world.log).toEqual([])
    },
  )
})

describe('an invalid policy', () => {
  it('permits nothing, and the response names the field and no value', async () => {
    const policy = '{"rules":[{"effect":"allow","tools":["a secret name"]}]}'
    const response = await authenticatedWorld({ ...BOTH, policy }).get('/tools', tokenWith())
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toContain('The variable \\"policy\\" is not valid: rules[0].tools[0] must be')
    expect(text).not.toContain('secret')
  })
})

describe('signed-in', () => {
  it('permits everything, and reads no claim for groups', async () => {
    const world = authenticatedWorld({ ...BOTH, policy: 'signed-in' })
    const body = await (await world.get('/mcp', API_KEY, rpc('tools/call', { name: 'a' }))).text()
    expect(body).toContain('"result"')
    expect(world.reads.filter((name) => name === 'policy')).toHaveLength(1)
    expect(world.reads).not.toContain('auth_groups_claim')
  })
})

describe('principals', () => {
  it('are told apart by their issuer and kind', async () => {
    const seen = async (principal: string, token: string) => {
      const world = guardedWorld([{ effect: 'allow', principals: [principal] }])
      return (await (await world.get('/tools', token)).text()).includes('open_tool')
    }
    const ada = tokenWith()
    expect(await seen(`${ISSUER}#ada`, ada)).toBe(true)
    expect(await seen('*#ada', ada)).toBe(true)
    expect(await seen('ada', ada)).toBe(false)
    expect(await seen('key:ci', API_KEY)).toBe(true)
    expect(await seen('key:ci', tokenWith({ claims: { sub: 'key:ci' } }))).toBe(false)
    // The name of a user cannot end the name of the issuer, nor match more than itself.
    expect(await seen('*#ada', tokenWith({ claims: { sub: 'eve#ada' } }))).toBe(false)
    expect(await seen(`${ISSUER}#ada`, tokenWith({ claims: { sub: '*' } }))).toBe(false)
    expect(await seen(`${ISSUER}#ada`, tokenWith({ claims: { sub: 'Ada' } }))).toBe(false)
    expect(await seen(`${ISSUER}#ada`, tokenWith({ claims: { sub: '\u0430da' } }))).toBe(false)
  })
})

describe('the chat', () => {
  const status = async (rules: Rule[]) =>
    (await guardedWorld(rules).get('/whoami?for=chat', tokenWith())).status

  it('asks the gateway whether its client may use it', async () => {
    expect(await status([{ effect: 'allow' }])).toBe(200)
    expect(await status([{ effect: 'allow', actions: ['chat'] }])).toBe(200)
    expect(await status([{ effect: 'allow', components: ['chat'] }])).toBe(200)
    expect(await status([{ effect: 'allow', tools: ['*'] }])).toBe(403)
    expect(await status([{ effect: 'deny', actions: ['chat'] }, { effect: 'allow' }])).toBe(403)
    expect(await status([])).toBe(403)
    const world = authenticatedWorld()
    expect((await world.get('/whoami?for=chat', tokenWith())).status).toBe(200)
  })

  it('of a caller without the scopes for it is answered with them', async () => {
    const world = guardedWorld([{ effect: 'allow', scopes: ['chat'] }])
    const response = await world.get('/whoami?for=chat', tokenWith())
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toContain('scope="chat"')
  })
})

describe('what a client may keep', () => {
  it('is its own where callers are authenticated', async () => {
    for (const method of ['tools/list', 'resources/list', 'server/discover']) {
      const request = modern(method)
      request.headers.set('authorization', `Bearer ${tokenWith()}`)
      const answer = (await (
        await guardedWorld([{ effect: 'allow' }]).send(request)
      ).json()) as object
      expect(answer).toMatchObject({ result: { cacheScope: 'private' } })
    }
  })

  it('is the same for all callers with the same rights', async () => {
    const world = guardedWorld([{ effect: 'allow', components: ['open'] }], {
      catalog_ttl_ms: '60000',
    })
    const lists = new Set<string>()
    for (const sub of ['ada', 'eve', 'ada']) {
      const token = tokenWith({ claims: { sub, aud: AUDIENCE } })
      lists.add(await (await world.get('/mcp', token, rpc('tools/list', {}))).text())
    }
    expect(lists.size).toBe(1)
  })
})
