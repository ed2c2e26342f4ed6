import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld, several, tool } from '../testing/components.ts'
import { guardedWorld } from '../testing/guarded.ts'
import { API_KEY, AUDIENCE, ISSUER, tokenWith } from '../testing/issuer.ts'
import { modern } from '../testing/modern.ts'
import type { Rule } from './policy.ts'

const ORIGIN = 'http://localhost:3000'
const METADATA = 'https://gateway.example/.well-known/oauth-protected-resource/mcp'

const rpc = (method: string, params: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
})
const invoke = (body: unknown, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

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
    expect((await world.send(new Request(`${ORIGIN}/tools/a`, invoke({})))).status).toBe(200)
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
      for (const [path, init] of [['/tools'], ['/tools/a', invoke({})]] as const) {
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

describe('groups', () => {
  const staff: Rule[] = [{ effect: 'allow', groups: ['staff'] }]
  const seen = async (claims: object, variables = {}) => {
    const response = await guardedWorld(staff, variables).get('/tools', tokenWith({ claims }))
    return response.status === 200 ? (await response.text()).includes('open_tool') : response.status
  }

  it.each([
    [{ groups: ['x', 'staff'] }, true],
    [{ groups: 'staff' }, true],
    [{ groups: null }, false],
    [{}, false],
    [{ groups: ['Staff'] }, false],
    [{ groups: ['staff '] }, false],
    [{ groups: 'staff other' }, false],
    [{ roles: ['staff'] }, false],
    [{ groups: { staff: true } }, 401],
    [{ groups: ['staff', 1] }, 401],
    [{ groups: 5 }, 401],
  ])('of the claims %j: %s', async (claims, expected) => {
    expect(await seen(claims)).toBe(expected)
  })

  it('are those of the claim that is configured, also inside another one', async () => {
    const roles = { auth_groups_claim: 'realm_access.roles' }
    expect(await seen({ realm_access: { roles: ['staff'] } }, roles)).toBe(true)
    expect(await seen({ 'realm_access.roles': ['staff'] }, roles)).toBe(true)
    expect(await seen({ groups: ['staff'] }, roles)).toBe(false)
    expect(await seen({ realm_access: 'staff' }, roles)).toBe(false)
    expect(await seen({ groups: ['staff'] }, { auth_groups_claim: '__proto__' })).toBe(false)
    expect(await seen({ groups: ['staff'] }, { auth_groups_claim: 'constructor.name' })).toBe(false)
  })

  it('are stored with the verdict, and not used after another claim was configured', async () => {
    const world = guardedWorld(staff)
    const token = tokenWith({ claims: { groups: ['staff'], roles: [] } })
    for (let time = 0; time < 2; time++) {
      expect(await (await world.get('/tools', token)).text()).toContain('open_tool')
    }
    const { variables } = world.platform
    world.platform.variables = {
      get: (name) => (name === 'auth_groups_claim' ? 'roles' : variables.get(name)),
    }
    expect(await (await world.get('/tools', token)).text()).not.toContain('open_tool')
  })

  it('of a key or the user of a proxy are none', async () => {
    expect(await (await guardedWorld(staff).get('/tools', API_KEY)).text()).not.toContain('open_')
  })
})

describe('if only scopes are missing', () => {
  const rules: Rule[] = [
    { effect: 'allow', name: 'a secret name', components: ['open'], scopes: ['tools', 'admin'] },
    { effect: 'allow', scopes: ['nothing'], components: ['open'], groups: ['x'] },
  ]
  const wanted = (scopes = 'tools admin', ofComponent = '') =>
    'Bearer error="insufficient_scope", error_description="The token does not have all scopes that ' +
    `this operation needs", scope="${scopes}", resource_metadata="${METADATA}${ofComponent}"`

  const USES: [use: string, path: string, init?: RequestInit][] = [
    ['a call', '/mcp', rpc('tools/call', { name: 'open_tool' })],
    [
      'a call at the address of the component',
      '/mcp/x/open',
      rpc('tools/call', { name: 'open_tool' }),
    ],
    ['a prompt', '/mcp', rpc('prompts/get', { name: 'open_prompt' })],
    ['a resource', '/mcp', rpc('resources/read', { uri: 'open://plan' })],
    [
      'a completion',
      '/mcp',
      rpc('completion/complete', {
        ref: { type: 'ref/prompt', name: 'open_prompt' },
        argument: { name: 'who', value: '' },
      }),
    ],
    ['/invoke', '/invoke', invoke({ tool: 'open_tool', params: {} })],
    ['the OpenAI form', '/invoke', invoke({ type: 'function', function: { name: 'open_tool' } })],
    ['/tools/{name}', '/tools/open_tool', invoke({})],
  ]

  it.each(USES)('%s is answered with all scopes that it needs', async (_, path, init) => {
    const world = guardedWorld(rules)
    const response = await world.get(path, tokenWith(), init)
    expect(response.status).toBe(403)
    // The endpoint of one component is a resource with metadata of its own.
    const [, ofComponent] = /^\/mcp(\/x\/.*)/.exec(path) ?? []
    expect(response.headers.get('www-authenticate')).toBe(wanted(undefined, ofComponent))
    expect(response.headers.get('cache-control')).toBe('no-store')
    const body = (await response.json()) as { error: { message: string } }
    expect(body.error.message).toBe('This needs a token with the scopes tools admin.')
    expect(JSON.stringify(body)).not.toMatch(/secret|rule/)
    if (path.startsWith('/mcp')) expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 })
    else expect(body).toMatchObject({ error: { code: 'insufficient_scope' } })
    expect(world.log.filter((line) => !/^GET [^?]*\.internal\/$/.test(line))).toEqual([])
    const enough = tokenWith({ claims: { scope: 'admin tools' } })
    expect((await world.get(path, enough, init)).status).toBe(200)
  })

  it('a call of 2026 is, too, with the scopes of every request', async () => {
    const world = guardedWorld(rules, { auth_scopes: 'base tools' })
    const request = modern('tools/call', { name: 'open_tool' })
    const token = tokenWith({ claims: { scope: 'base tools' } })
    request.headers.set('authorization', `Bearer ${token}`)
    const response = await world.send(request)
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(wanted('base tools admin'))
  })

  it('an API key gets the same without metadata of an authorization server', async () => {
    const world = guardedWorld(rules, { auth_issuers: '' })
    const response = await world.get('/tools/open_tool', API_KEY, invoke({}))
    expect(response.headers.get('www-authenticate')).toMatch(/scope="tools admin", realm="/)
  })

  it('of several calls each is answered alone', async () => {
    const both: Rule[] = [...rules, { effect: 'allow', components: ['vault'] }]
    const call = (name: string) => ({ id: name, function: { name } })
    const calls = [call('open_tool'), call('vault_tool'), call('ghost_tool')]
    const response = await guardedWorld(both).get('/invoke', tokenWith(), invoke(calls))
    const [open = '', vault = '', ghost = ''] = (
      (await response.json()) as { content: string }[]
    ).map(({ content }) => content)
    expect(open).toContain('"code":"insufficient_scope"')
    expect(vault).toBe('from vault')
    expect(ghost).toContain('tool_not_found')
    const batch = ['open_tool', 'vault_tool'].map((name, id) => {
      return { jsonrpc: '2.0', id, method: 'tools/call', params: { name } }
    })
    const answers = await guardedWorld(both).get('/mcp', tokenWith(), invoke(batch))
    expect(answers.status).toBe(200)
    expect(await answers.json()).toMatchObject([
      { id: 0, error: { data: { error: 'insufficient_scope', scopes: ['tools', 'admin'] } } },
      { id: 1, result: {} },
    ])
  })

  it('a call that is answered by lines ends with the error', async () => {
    const init = invoke({ tool: 'open_tool', params: {} }, { accept: 'application/x-ndjson' })
    const text = await (await guardedWorld(rules).get('/invoke', tokenWith(), init)).text()
    expect(text.trim().split('\n').at(-1)).toMatch(/"type":"error","code":"insufficient_scope"/)
  })

  it('the lists do not have it, because the caller may not use it', async () => {
    const list = (await (await guardedWorld(rules).get('/tools', tokenWith())).json()) as object
    expect(list).toEqual({ tools: [] })
  })

  it('the headers of a client name no scope', async () => {
    const headers = { 'ftl-caller': '{"scopes":["admin"]}', scope: 'admin', 'x-scopes': 'admin' }
    const init = invoke({ tool: 'open_tool', params: {}, scopes: ['admin'] }, headers)
    expect((await guardedWorld(rules).get('/invoke', tokenWith(), init)).status).toBe(403)
  })

  it('a token with scopes of another form has none', async () => {
    for (const scope of [{ admin: true }, 'tools,admin', ['tools admin'], 5, 'TOOLS ADMIN']) {
      const token = tokenWith({ claims: { scope } })
      const { status } = await guardedWorld(rules).get('/tools/open_tool', token, invoke({}))
      expect(status).toBe(403)
    }
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
